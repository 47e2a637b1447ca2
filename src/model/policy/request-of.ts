import { toolOfCommand } from '../tools/tool-command-name.ts';
import type { PolicyRequest, Reach } from './verdict.ts';

/** A command, as far as it is judged. */
export interface JudgedCommand {
  readonly name: string;
  readonly kind: 'read' | 'act' | 'input' | 'admin';
  readonly group: string;
  /** Whether it changes nothing, with this input. */
  readonly isReadOnly: boolean;
}

/** How tools that are commands of their own are called in operations, and so in rules. */
const TOOLS: ReadonlyMap<string, string> = new Map([['sandboxed-shell', 'sandboxed_shell']]);

/** What is asked about a command before it runs: by whoever runs it, and by whoever explains what would be decided. */
export function requestOf(
  { name, kind, group, isReadOnly }: JudgedCommand,
  input: Readonly<Record<string, unknown>> = {},
): PolicyRequest {
  const tool = toolOf(name, group, input);
  const isOwnReport = kind === 'admin' && isReadOnly;
  return { command: name, isReadOnly, isOwnReport, reach: reachOf(kind, group, tool), tool };
}

/** Describing a tool is not running it. */
const DESCRIBING: ReadonlySet<string> = new Set(['tools list', 'tools schema', 'tools result']);

function toolOf(name: string, group: string, { tool }: Readonly<Record<string, unknown>>): string | undefined {
  const own = toolOfCommand(name) ?? TOOLS.get(name);
  if (own !== undefined) return own;
  return group === 'operations' && typeof tool === 'string' && !DESCRIBING.has(name) ? tool : undefined;
}

function reachOf(kind: JudgedCommand['kind'], group: string, tool: string | undefined): Reach {
  if (tool !== undefined) return 'tools';
  if (group === 'terminals') return 'terminals';
  // The clipboard belongs to no application.
  return (kind === 'act' || kind === 'input') && group !== 'clipboard' ? 'applications' : 'other';
}
