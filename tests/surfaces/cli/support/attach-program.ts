/**
 * The client side of `desk terminal attach` before a terminal of thin air, which says what is done to it. What is typed makes it do things:
 * `x` ends its shell with code 7, `d` ends the daemon, `f` fills the screen with modes.
 */
import { duplexPair } from 'node:stream';
import { CallFailure } from '../../../../src/surfaces/cli/daemon/call-failure.ts';
import { attach } from '../../../../src/surfaces/cli/verbs/attach/terminal-attach.ts';
import { manifest } from '../../../../src/surfaces/cli/arguments/manifest.generated.ts';
import { serveAttachment } from '../../../../src/processes/daemon/serve-attachment.ts';
import type { TerminalAttachment } from '../../../../src/ports/terminals/attachments.ts';

const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());

const [near, far] = duplexPair();
// As a socket does.
setInterval(() => undefined, 1000);

const attachment: TerminalAttachment = {
  name: 'project / tag',
  command: 'desk terminal attach --tag tag',
  size: { columns: 120, rows: 40 },
  leave: () => undefined,
  attach: async ({ size, onBytes }) => {
    const say = (text: string) => void onBytes(Buffer.from(text));
    let end: (how: Awaited<Awaited<ReturnType<TerminalAttachment['attach']>>['ended']>) => void = () =>
      undefined;
    const ended = new Promise<Parameters<typeof end>[0]>((resolve) => {
      end = resolve;
    });
    say(`\u001B[2J\u001B[Hdrawn ${size.columns}x${size.rows}\r\n`);
    return {
      ended,
      write: async (bytes) => {
        say(`typed ${Buffer.from(bytes).toString('hex')}\r\n`);
        if (bytes.includes(0x66)) say('\u001B[?1049h\u001B[?1003h\u001B[?25l');
        if (bytes.includes(0x78)) end({ kind: 'exited', exitCode: 7 });
        if (bytes.includes(0x64)) far.destroy();
      },
      resize: async ({ columns, rows }) => say(`size ${columns}x${rows}\r\n`),
      detach: () => end({ kind: 'detached' }),
    };
  },
};

serveAttachment(far, attachment);
far.once('close', () => near.destroy());

const [detachKeys, window] = process.argv.slice(2);
const exitCode = await attach
  .run({
    input: { detach_keys: detachKeys ?? 'ctrl-]', ...(window === undefined ? {} : { window }) },
    globals: { format: undefined, pretty: undefined, session: undefined },
    session: 'default',
    form: 'json',
    environment: process.env,
    manifest,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: controller.signal,
    connect: async () => ({
      execute: () => Promise.reject(new Error('no command was meant')),
      openMcp: () => Promise.reject(new Error('no MCP was meant')),
      serveMcp: () => Promise.reject(new Error('no MCP was meant')),
      openTerminal: async () => ({ stream: near, name: attachment.name, command: attachment.command }),
      close: async () => undefined,
    }),
  })
  .catch((error: unknown) => {
    if (!(error instanceof CallFailure)) throw error;
    process.stderr.write(`${error.code}: ${error.message} ${error.suggestion}\n`);
    return 11;
  });
process.exit(exitCode);
