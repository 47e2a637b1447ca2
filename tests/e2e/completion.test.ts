import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientFrame } from '../../src/wire/client-frames.ts';
import { encodeServerFrame } from '../../src/wire/daemon-protocol.ts';
import { FrameReader } from '../../src/wire/frames.ts';
import { builtProgram } from './support/build.ts';

const TYPIST = join(fileURLToPath(new URL('.', import.meta.url)), 'support/type-into-shell.py');
const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const START: Readonly<Record<Shell, readonly string[]>> = {
  bash: ['bash', '--norc', '--noprofile', '-i'],
  zsh: ['zsh', '-f', '-i'],
  fish: ['fish', '--no-config', '-i'],
};
const LOAD: Readonly<Record<Shell, string>> = {
  bash: 'source <(desk completion bash)',
  zsh: 'autoload -U compinit; compinit -u -D; source <(desk completion zsh)',
  fish: 'desk completion fish | source',
};

let folder = '';
let program = { folder: '', entry: '' };
let daemon: Server;
/** How the daemon answers: at once, never, or with something invalid. */
let mood: 'well' | 'silent' | 'garbage' | 'skew' = 'well';

const pwned = () => join(folder, 'pwned');
const hostile = () => `$(touch ${pwned()}) "x" \`touch ${pwned()}\``;
const escapes = '\u001B]0;owned\u0007\u001B[31mred\nnext $(touch pwned)';

/** The answers of a daemon whose desktop has hostile names. */
function answerFor(command: string): object {
  const apps = [
    { name: hostile(), pid: 11 },
    { name: "it's ~a;b&c|!#*?[d]{e}<f>", pid: 12 },
    { name: escapes, pid: 13 },
    { name: '~root', pid: 14 },
    { name: 'My App', pid: 15 },
  ];
  const windows = [
    { ref: '@w1', title: `W${hostile()}`, app: 'bad' },
    { ref: '@w2', title: escapes, app: 'bad' },
  ];
  const sessions = [{ name: 'mine' }];
  return { version: '1.0', ok: true, command, apps, windows, sessions };
}

function startDaemon(path: string): Promise<Server> {
  const server = createServer((socket) => {
    const reader = new FrameReader(clientFrame);
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      for (const frame of reader.push(piece)) {
        if (frame.type !== 'execute' || mood === 'silent') continue;
        if (mood === 'garbage') socket.write(Buffer.alloc(64, 0xff));
        else if (mood === 'skew')
          socket.write(encodeServerFrame({ type: 'skew', version: 'other', pid: 1, isIdle: false }));
        else {
          const stdout = `${JSON.stringify(answerFor(frame.command))}\n`;
          socket.write(encodeServerFrame({ type: 'answer', id: frame.id, exitCode: 0, stdout, stderr: '' }));
        }
      }
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => resolve(server));
  });
}

function environment(): Record<string, string> {
  return {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    XDG_RUNTIME_DIR: join(folder, 'run'),
    XDG_STATE_HOME: join(folder, 'state'),
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    PS1: '$ ',
    PROMPT: '$ ',
  };
}

beforeAll(async () => {
  program = await builtProgram();
  folder = await mkdtemp(join(tmpdir(), 'deskterity-completion-'));
  for (const name of ['bin', 'run/deskterity', 'state/deskterity/sessions/default'])
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  // Completes like the real one, but only records the commands that are run.
  const desk = join(folder, 'bin/desk');
  const record =
    "require('fs').appendFileSync(process.env.HOME + '/ran', JSON.stringify(process.argv.slice(1)) + '\\n'); console.log('noted')";
  await writeFile(
    desk,
    [
      '#!/bin/sh',
      `desk() { '${process.execPath}' '${program.entry}' "$@"; }`,
      'case "$1" in',
      'completion) desk "$@"; exit ;;',
      '__complete) desk "$@"; status=$?; echo >> "$HOME/asked"; exit $status ;;',
      'esac',
      `exec '${process.execPath}' -e "${record}" -- "$@"`,
      '',
    ].join('\n'),
  );
  await chmod(desk, 0o755);
  await writeFile(join(folder, 'a picture.png'), '');
  const element = (ref: string, name: string) => ({ ref, role: 'button', name });
  await writeFile(
    join(folder, 'state/deskterity/sessions/default/refs.json'),
    JSON.stringify({ elements: [element('@e3', 'OK'), element('@e47', escapes)] }),
  );
  daemon = await startDaemon(join(folder, 'run/deskterity/daemon.sock'));
});

afterAll(async () => {
  daemon.close();
  await rm(folder, { recursive: true, force: true });
  await rm(program.folder, { recursive: true, force: true });
});

beforeEach(() => {
  mood = 'well';
});

interface Step {
  readonly keys: string;
  /** The step ends when this has been shown. */
  readonly until?: string;
  /** The step cannot end before this file has grown. */
  readonly grows?: string;
}

/** Presses keys in a shell that has loaded the completions; returns the commands and the output. */
async function press(shell: Shell, steps: readonly Step[]) {
  await rm(join(folder, 'ran'), { force: true });
  // Typed text is echoed too, and must not be taken for output.
  const load = { keys: `${LOAD[shell]}; echo 'load''ed'\n`, until: 'loaded' };
  const request = { argv: START[shell], environment: environment(), cwd: folder, steps: [load, ...steps] };
  const shown = await run('python3', [TYPIST], JSON.stringify(request));
  const ran = await readFile(join(folder, 'ran'), 'utf8').catch(() => '');
  return {
    ran: ran
      .split('\n')
      .slice(0, -1)
      .map((line) => z.array(z.string()).parse(JSON.parse(line))),
    shown: z.array(z.string()).parse(JSON.parse(shown)).slice(1).join(''),
  };
}

/** Types lines, each ended by the tab key and then by Enter. */
function type(shell: Shell, lines: readonly string[]) {
  const grows = join(folder, 'asked');
  return press(
    shell,
    lines.flatMap((line) => [
      { keys: `${line}\t`, grows },
      { keys: '\n', until: 'noted' },
    ]),
  );
}

async function run(command: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(command, args, { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  child.stdin.end(input);
  const code = await new Promise<unknown>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}: ${stderr}${stdout}`);
  return stdout;
}

const isPwned = async () =>
  Promise.all(
    [pwned(), join(folder, '$(touch pwned)')].map((path) =>
      stat(path).then(
        () => path,
        () => undefined,
      ),
    ),
  );

describe.each(SHELLS)('in a real %s', (shell) => {
  it('completes commands, flags, references, sessions and files', { timeout: 90_000 }, async () => {
    const { ran } = await type(shell, [
      'desk screensh',
      'desk list-windows --include-m',
      'desk click @e4',
      'desk status --session mi',
      'desk screenshot a\\ pic',
      'desk get val',
    ]);
    expect(ran).toEqual([
      ['screenshot'],
      ['list-windows', '--include-minimized'],
      ['click', '@e47'],
      ['status', '--session', 'mine'],
      ['screenshot', 'a picture.png'],
      ['get', 'value'],
    ]);
  });

  it(
    'passes on names of hostile applications unchanged, without executing them',
    { timeout: 90_000 },
    async () => {
      const { ran, shown } = await type(shell, [
        'desk close-app \\$',
        'desk close-app "\\$',
        'desk list-windows --app=it',
        "desk list-windows --app 'My",
        'desk close-app \\~',
        'desk snapshot --window W',
      ]);
      expect(ran).toEqual([
        ['close-app', hostile()],
        ['close-app', hostile()],
        ['list-windows', "--app=it's ~a;b&c|!#*?[d]{e}<f>"],
        ['list-windows', '--app', 'My App'],
        ['close-app', '~root'],
        ['snapshot', '--window', `W${hostile()}`],
      ]);
      expect(shown).not.toContain('\u001B]0;owned');
      expect(await isPwned()).toEqual([undefined, undefined]);
    },
  );

  it('lists them without terminal control sequences', { timeout: 90_000 }, async () => {
    const grows = join(folder, 'asked');
    const lines = ['desk close-app ', 'desk snapshot --window @w', 'desk click @e'];
    // Bash lists only at the second tab.
    const again = shell === 'bash' ? [{ keys: '\t', grows }] : [];
    const { shown } = await press(
      shell,
      lines.flatMap((line) => [{ keys: `${line}\t`, grows }, ...again, { keys: '\u0003' }]),
    );
    for (const seen of ['My App', '13', 'red', '@w2', '@e47']) expect(shown).toContain(seen);
    expect(shown).not.toContain('\u001B]0;owned');
    expect(shown).not.toContain('\u001B[31mred');
    expect(await isPwned()).toEqual([undefined, undefined]);
  });
});

describe('the daemon', () => {
  const complete = async () => {
    const started = performance.now();
    const printed = await run(join(folder, 'bin/desk'), ['__complete', 'fish', '=', '=close-app'], '').catch(
      () => '',
    );
    return { printed, durationMs: performance.now() - started };
  };

  it('is queried', async () => {
    expect((await complete()).printed).toContain('My App\tprocess 15');
  });

  it.each(['silent', 'garbage', 'skew'] as const)(
    'takes no longer than its limit when it is %s',
    async (how) => {
      mood = how;
      const { printed, durationMs } = await complete();
      expect(printed).toBe(':values\n');
      expect(durationMs).toBeLessThan(3000);
    },
  );

  it('is never started', async () => {
    const before = environment();
    const runtime = join(folder, 'elsewhere');
    await mkdir(runtime, { mode: 0o700 });
    const child = spawn(process.execPath, [program.entry, '__complete', 'fish', '=', '=close-app'], {
      env: { ...before, XDG_RUNTIME_DIR: runtime },
    });
    await new Promise((resolve) => child.once('close', resolve));
    await expect(stat(join(runtime, 'deskterity'))).rejects.toThrow('ENOENT');
  });
});
