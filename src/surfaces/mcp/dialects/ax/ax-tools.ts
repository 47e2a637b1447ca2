import type { ToolFacts } from '../../../../app/tool-facts.ts';
import { higher, STRICTEST } from '../../access/scopes.ts';
import { asksOf } from '../../access/hidden-tool.ts';
import type { McpTool } from '../../connections/connection.ts';
import { AX_ACTING } from './ax-acting.ts';
import { AX_ASSERT } from './ax-assert.ts';
import { AX_READING } from './ax-reading.ts';
import { AX_SESSION } from './ax-session.ts';
import { offeredAxTools, type AxSetting, type AxTool } from './ax-tool.ts';
import { axWorkflow } from './ax-workflow.ts';

const SINGLE: readonly AxTool[] = [...AX_READING, ...AX_ACTING, AX_ASSERT, ...AX_SESSION];

/** Every tool of the dialect: the last one runs the others as steps. */
export const AX_TABLE: readonly AxTool[] = [...SINGLE, axWorkflow(SINGLE)];

/** The toolset `ax`. */
export function axTools(setting: AxSetting, all: readonly ToolFacts[]): readonly McpTool[] {
  const known = new Map(all.map((facts) => [facts.command, facts]));
  return offeredAxTools(AX_TABLE, all).map(({ make, parts: { reads, commands } }) => {
    const needed = commands.map((command) => known.get(command)?.access ?? STRICTEST);
    const asks = asksOf(commands.flatMap((command) => known.get(command) ?? []));
    return { ...make(setting), asks, scope: reads ? 'read' : needed.reduce(higher) };
  });
}

/** What each tool needs of the desktop. */
export function axNeeds(all: readonly ToolFacts[]): readonly (readonly [string, readonly string[]])[] {
  const needs = new Map(all.map((facts) => [facts.command, facts.needs]));
  return AX_TABLE.map(({ parts: { name, commands } }) => [name, needs.get(commands[0]) ?? []] as const);
}

/** How messages name a command: by the tool that runs it first. */
export const AX_EQUIVALENTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(AX_TABLE.toReversed().map(({ parts: { name, commands } }) => [commands[0], name])),
  // Of several, the one that tells most.
  snapshot: 'ax_get_tree',
  get: 'ax_get_value',
  focused: 'ax_get_tree',
  'double-click': 'ax_click',
  'right-click': 'ax_click',
  'clipboard set': 'ax_clipboard',
  // Where `wait` is suggested, something is to be looked for that ax_wait_idle does not wait for.
  wait: 'ax_find',
};
