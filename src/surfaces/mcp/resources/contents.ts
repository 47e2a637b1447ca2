import { DeskterityError } from '../../../model/effects/errors.ts';
import { ResourceNotFoundError } from '../sdk.ts';
import type { Address } from './address.ts';
import { appState } from './app-state.ts';
import { clipboardContents } from './clipboard.ts';
import { windowsOf } from './app-windows.ts';
import type { Ask, Contents } from './ask.ts';
import { requireApp } from './running-apps.ts';

/** @throws ResourceNotFoundError, ProtocolError, DeskterityError */
export async function readContents(
  ask: Ask,
  uri: string,
  address: Address,
  version: string,
): Promise<Contents> {
  if (address.kind === 'status') {
    const { output } = await ask('status', {});
    return {
      data: {
        server_version: version,
        accessibility_enabled: output['permissions_granted'] === true,
        ...output,
      },
    };
  }
  if (address.kind === 'apps') return { data: (await ask('list-apps', {})).output };
  if (address.kind === 'clipboard') return clipboardContents(ask);
  if (address.kind === 'operations') return { data: (await ask('operation list', {})).output };
  if (address.kind === 'terminals') return { data: (await ask('terminal list', {})).output };
  if (address.kind === 'operation') return operationContents(ask, uri, address.operationId);
  const { pid } = await requireApp(ask, uri, address.app);
  const app = String(pid);
  try {
    if (address.kind === 'window') {
      const window = (await windowsOf(ask, app))[address.index];
      if (window === undefined) throw noWindow(uri, address.index);
      return { data: (await ask('snapshot', { app, window: window.id })).output };
    }
    if (address.kind === 'tree') return { data: (await ask('snapshot', { app })).output };
    if (address.kind === 'state') return { data: await appState(ask, app) };
    return { picture: await picture(ask, app) };
  } catch (error) {
    // It had a window or a process a moment ago.
    if (error instanceof DeskterityError && GONE.has(error.code))
      throw new ResourceNotFoundError(uri, `${error.message} ${error.suggestion}`);
    throw error;
  }
}

async function operationContents(ask: Ask, uri: string, operationId: string): Promise<Contents> {
  try {
    return { data: (await ask('operation status', { operation_id: operationId })).output };
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'OPERATION_NOT_FOUND')
      throw new ResourceNotFoundError(uri, `${error.message} ${error.suggestion}`);
    throw error;
  }
}

const GONE: ReadonlySet<string> = new Set(['APP_NOT_FOUND', 'WINDOW_NOT_FOUND']);

async function picture(ask: Ask, app: string): Promise<Uint8Array> {
  const { pictures } = await ask('screenshot', { app });
  const [first] = pictures;
  if (first !== undefined) return first.bytes;
  throw new DeskterityError('INTERNAL', 'The picture of the application is missing.', {
    suggestion: 'This is a fault in Deskterity; please report it.',
  });
}

function noWindow(uri: string, index: number): ResourceNotFoundError {
  return new ResourceNotFoundError(
    uri,
    `The application has no window ${index}. Read its state to see its windows; the first is 0.`,
  );
}
