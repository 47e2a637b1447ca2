import { readNumber } from '../properties.ts';
import type { X11Wire } from '../wire.ts';

/** LocalClientPID of the X-Resource extension. */
const LOCAL_PID = 2;

/**
 * The process of a window: as the window says, else as the server knows it. Toolkits older than the property, such as Tk and the X Toolkit, set
 * none.
 */
export async function readOwnerPid(wire: X11Wire, window: number): Promise<number | undefined> {
  return (await readNumber(wire, window, '_NET_WM_PID')) ?? connectedPid(wire, window);
}

/** The process of a window as {@link readOwnerPid} has it, and that whose connection created it; one round trip. */
export async function readOwner(
  wire: X11Wire,
  window: number,
): Promise<{ readonly pid: number | undefined; readonly clientPid: number | undefined }> {
  const [named, clientPid] = await Promise.all([
    readNumber(wire, window, '_NET_WM_PID'),
    connectedPid(wire, window),
  ]);
  return { pid: named ?? clientPid, clientPid };
}

/**
 * The local process whose connection created a window, whatever the window says. Servers without version 1.2 of the extension, and clients from
 * elsewhere, have none.
 */
export async function connectedPid(wire: X11Wire, window: number): Promise<number | undefined> {
  const resources = await wire.extension('res').catch(() => undefined);
  if (resources === undefined) return undefined;
  const found = await wire
    .request<readonly { readonly value: readonly number[] }[]>((_client, done) =>
      resources.QueryClientIds([{ client: window, mask: LOCAL_PID }], done),
    )
    .catch(() => []);
  const pid = found[0]?.value[0];
  return pid === undefined || pid === 0 ? undefined : pid;
}
