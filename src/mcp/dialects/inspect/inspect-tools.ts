import type { McpTool } from '../../connection.ts';
import type { DeskCalls } from '../../desk-calls.ts';
import { findElement } from './find-element.ts';
import { getFocusedElement } from './get-focused-element.ts';
import { getUiTree } from './get-ui-tree.ts';
import { listWindows } from './list-windows.ts';

/** Time each tool has, in milliseconds. */
export const INSPECT_TIMEOUTS_MS = { tree: 5000, search: 2000, focused: 1000, windows: 1000 } as const;
export type InspectTimeoutsMs = Readonly<Record<keyof typeof INSPECT_TIMEOUTS_MS, number>>;

/** The toolset `inspect`: four tools that only look, and answer in plain JSON. */
export function inspectTools(
  calls: DeskCalls,
  timeoutsMs: InspectTimeoutsMs = INSPECT_TIMEOUTS_MS,
): McpTool[] {
  return [
    getUiTree(calls, timeoutsMs.tree),
    findElement(calls, timeoutsMs.search),
    getFocusedElement(calls, timeoutsMs.focused),
    listWindows(calls, timeoutsMs.windows),
  ];
}
