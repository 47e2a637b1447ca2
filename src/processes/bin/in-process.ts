import { duplexPair } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallFailure } from '../../surfaces/cli/daemon/call-failure.ts';
import type { CallOptions, Connection, Rendered } from '../../surfaces/cli/daemon/connection.ts';
import { openProcessLog, toTerminalLine } from '../../app/process-log.ts';
import { buildVersion } from '../../wire/daemon-protocol.ts';
import { progressLine, screenFor } from '../../app/page/screen-style.ts';
import type { ScreenFacts } from '../../wire/client-frames.ts';
import { openApp } from '../../app/open-app.ts';
import { createPlatform } from '../../platform/select.ts';

export interface InProcessOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  /** Whether lines for standard error may be coloured. */
  readonly colour: boolean;
  /** The terminal that answers are printed on. */
  readonly screen?: ScreenFacts | undefined;
}

/** Time for MCP clients and private desktops to end. */
const CLOSE_LIMIT_MS = 8000;

/** Runs the app in this process, for calls without a daemon; it ends with the connection. */
export async function openInProcess(options: InProcessOptions): Promise<Connection> {
  const { environment, cwd, version, colour, screen } = options;
  const platform = createPlatform();
  const log = await openProcessLog(platform, environment);
  const closing: (() => Promise<void>)[] = [];
  const open = (isPersistent: boolean) => {
    const app = openApp({
      platform,
      environment,
      cwd,
      version,
      build: buildVersion(),
      log,
      isPersistent,
      // A caller in a terminal already has its variables.
      asksLoginShell: isPersistent,
    });
    closing.push(() => app.close());
    return app;
  };
  let forCalls: ReturnType<typeof open> | undefined;
  // Only for the server: programs started for its clients must not see it.
  const { DESKTERITY_HTTP_TOKEN: _, ...forClients } = environment;
  // The process stays between calls and can therefore own private desktops.
  const mcpParts = () => ({ app: open(true), caller: { environment: forClients, cwd }, version, log });
  return {
    execute: (session, command, input, call: CallOptions = {}): Promise<Rendered> => {
      forCalls ??= open(false);
      const { onLog, onProgress, onQuestion, logLevel = 'info' } = call;
      return forCalls.execute(session, command, input, {
        ...call,
        screen: screenFor({ screen, colour }),
        onProgress: ({ message }) => onProgress?.(progressLine(message)),
        askPerson: onQuestion,
        onLog: (entry) => {
          const line = onLog && toTerminalLine(platform, entry, logLevel, colour);
          if (line !== undefined) onLog?.(line);
        },
      });
    },
    openMcp: async (mcpOptions) => {
      const { serveClient } = await import('../../surfaces/mcp/index.ts');
      const [near, far] = duplexPair();
      far.once('close', () => {
        // Otherwise the peer still has to read the end.
        if (!far.writableFinished) near.destroy();
      });
      const served = serveClient(far, { ...mcpParts(), options: mcpOptions });
      closing.unshift(async () => {
        far.destroy();
        await served;
      });
      return near;
    },
    serveMcp: async (mcpOptions, http, { onEcho }) => {
      const { serveHttpClients } = await import('../../surfaces/mcp/index.ts');
      try {
        const server = await serveHttpClients({ ...mcpParts(), options: mcpOptions }, http, onEcho);
        closing.unshift(() => server.close());
        return { url: server.url, ended: new Promise(() => undefined) };
      } catch (error) {
        throw toCallFailure(error);
      }
    },
    openTerminal: async (target) => {
      const { serveAttachment } = await import('../daemon/serve-attachment.ts');
      try {
        const attachment = await open(true).openAttachment(
          { environment, cwd },
          { ...target, pid: process.pid },
        );
        const [near, far] = duplexPair();
        serveAttachment(far, attachment);
        closing.unshift(async () => void far.destroy());
        return { stream: near, name: attachment.name, command: attachment.command };
      } catch (error) {
        throw toCallFailure(error);
      }
    },
    close: async () => {
      const inOrder = async () => {
        for (const close of closing.splice(0)) await close().catch(() => undefined);
      };
      await Promise.race([inOrder(), sleep(CLOSE_LIMIT_MS)]);
    },
  };
}

/** Converts a DeskterityError, whose class this room cannot import. */
function toCallFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('suggestion' in error)) return error;
  return new CallFailure(String(error.code), error.message, { suggestion: String(error.suggestion) });
}
