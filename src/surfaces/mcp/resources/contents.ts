import { DeskterityError } from '../../../model/effects/errors.ts';
import { ResourceNotFoundError } from '../sdk.ts';
import type { Address } from './address.ts';
import { appEvents } from './app-events.ts';
import { appState } from './app-state.ts';
import { clipboardContents } from './clipboard.ts';
import { windowsOf } from './app-windows.ts';
import type { RunCommand, Contents } from './run-command.ts';
import { requireApp } from './running-apps.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';

const COMMANDS = {
  status: 'status',
  apps: 'list-apps',
  operations: 'operation list',
  terminals: 'terminal list',
} as const;

/** @throws ResourceNotFoundError, ProtocolError, DeskterityError */
export async function readContents(
  run: RunCommand,
  uri: string,
  address: Address,
  version: string,
): Promise<Contents> {
  if (address.kind === 'clipboard') return clipboardContents(run);
  if (address.kind === 'operation') return operationContents(run, uri, address.operationId);
  if (address.kind === 'journal') return { data: (await run('journal', {})).output };
  if (!('app' in address)) {
    const { output } = await run(COMMANDS[address.kind], {});
    const isEnabled = output['permissions_granted'] === true;
    const facts = { server_version: version, accessibility_enabled: isEnabled };
    if (address.kind === 'apps') return { data: withStates(output) };
    return { data: address.kind === 'status' ? { ...facts, ...output } : output };
  }
  if (address.kind === 'events') return { data: await appEvents(run, uri, address.app) };
  const { pid } = await requireApp(run, uri, address.app);
  const app = String(pid);
  try {
    if (address.kind === 'window') {
      const window = (await windowsOf(run, app))[address.index];
      if (window === undefined) throw noWindow(uri, address.index);
      return { data: (await run('snapshot', { app, window: window.id })).output };
    }
    if (address.kind === 'tree') return { data: (await run('snapshot', { app })).output };
    if (address.kind === 'state') return { data: await appState(run, app) };
    return { picture: await picture(run, app) };
  } catch (error) {
    // The window or process existed a moment ago.
    if (error instanceof DeskterityError && GONE.has(error.code))
      throw new ResourceNotFoundError(uri, `${error.message} ${error.suggestion}`);
    throw error;
  }
}

const Running = z.looseObject({ apps: z.array(z.looseObject({ responsive: z.boolean() })) });

/** Whether an application answers is known without reading it; what else it is up to, its own state tells. */
function withStates(output: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { apps, ...rest } = Running.parse(output);
  return { ...rest, apps: apps.map((app) => (app.responsive ? app : { ...app, state: 'busy' })) };
}

async function operationContents(run: RunCommand, uri: string, operationId: string): Promise<Contents> {
  try {
    return { data: (await run('operation status', { operation_id: operationId })).output };
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'OPERATION_NOT_FOUND')
      throw new ResourceNotFoundError(uri, `${error.message} ${error.suggestion}`);
    throw error;
  }
}

const GONE: ReadonlySet<string> = new Set(['APP_NOT_FOUND', 'WINDOW_NOT_FOUND']);

async function picture(run: RunCommand, app: string): Promise<Uint8Array> {
  const { pictures } = await run('screenshot', { app });
  const [first] = pictures;
  if (first !== undefined) return first.bytes;
  throw new DeskterityError('INTERNAL', 'The screenshot of the application is missing.', {
    suggestion: 'This is a bug in Deskterity; please report it.',
  });
}

function noWindow(uri: string, index: number): ResourceNotFoundError {
  return new ResourceNotFoundError(
    uri,
    `The application has no window ${index}. Read its state to see its windows, which are numbered from 0.`,
  );
}

/** Keys that differ between two reads of the same state. */
const VOLATILE: ReadonlySet<string> = new Set(['call_count', 'cursor', 'duration_ms', 'node_count']);

const Apps = z.object({ apps: z.array(z.object({ name: z.string(), pid: z.int() })) });
const Status = z.object({
  desktop: z.unknown(),
  permissions_granted: z.boolean().optional(),
  // The message depends on how far the attempt got.
  problem: z.object({ code: z.string() }).optional(),
});

/** Equal for contents without a reportable difference. */
export function fingerprint(kind: Address['kind'], { data = {}, picture }: Contents): string {
  const text =
    picture ??
    JSON.stringify(significant(kind, data), (key, value: unknown) => (VOLATILE.has(key) ? undefined : value));
  return createHash('sha256').update(text).digest('base64');
}

/** Ignores sessions and calls, which every read changes, and whether an application responds, as it has neither started nor quit. */
function significant(kind: Address['kind'], data: Readonly<Record<string, unknown>>): unknown {
  if (kind === 'apps') {
    const { apps } = Apps.parse(data);
    return apps.toSorted((a, b) => a.pid - b.pid || a.name.localeCompare(b.name));
  }
  // Notes come and go; what happened counts.
  if (kind === 'journal') return data['entries'];
  if (kind === 'events') return data['events'];
  return kind === 'status' ? Status.parse(data) : data;
}
