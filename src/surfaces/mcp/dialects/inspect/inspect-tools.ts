import type { McpTool } from '../../connections/connection.ts';
import type { DeskCalls } from '../../tools/desk-calls.ts';
import { findElement } from './find-element.ts';
import { getFocusedElement } from './get-focused-element.ts';
import { getUiTree } from './get-ui-tree.ts';
import { listWindows } from './list-windows.ts';

/** Time each tool has, in milliseconds. */
export const INSPECT_TIMEOUTS_MS = { tree: 5000, search: 2000, focused: 1000, windows: 1000 } as const;

export interface InspectOptions {
  /** No structured content and no output schemas. */
  readonly isTextOnly?: boolean;
  readonly timeoutsMs?: Readonly<Record<keyof typeof INSPECT_TIMEOUTS_MS, number>>;
}

/** The toolset `inspect`: four tools that only look, and answer in plain JSON. */
export function inspectTools(calls: DeskCalls, options: InspectOptions = {}): McpTool[] {
  const { isTextOnly = false, timeoutsMs = INSPECT_TIMEOUTS_MS } = options;
  const on = (timeoutMs: number) => ({ calls, isTextOnly, timeoutMs });
  return [
    getUiTree(on(timeoutsMs.tree)),
    findElement(on(timeoutsMs.search)),
    getFocusedElement(on(timeoutsMs.focused)),
    listWindows(on(timeoutsMs.windows)),
  ];
}
