import type { CuaWay } from './cua-way.ts';
import type { McpWay } from './mcp-way.ts';
import type { ActWindow, Way } from './way.ts';
import type { XdotoolWay } from './xdotool-way.ts';

/** The tools on one desktop. */
export interface Tools {
  readonly ours: McpWay;
  readonly script: XdotoolWay;
  /** Absent if it cannot be installed. */
  readonly peer?: CuaWay | undefined;
}

export function waysOf({ ours, script, peer }: Tools): Way[] {
  return [ours, script, ...(peer === undefined ? [] : [peer])];
}

export async function windowOf(ours: McpWay, pid: number): Promise<ActWindow> {
  return { pid, xid: await ours.windowOf(pid), placeOf: (one) => ours.placeOf(one, pid) };
}
