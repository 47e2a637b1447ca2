import { isRecord } from '../is-record.ts';
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
  const tool = toolOf(name, input);
  const isOwnReport = kind === 'admin' && isReadOnly;
  const reach = reachOf(kind, group, tool);
  return { command: commandOf(name, input), isReadOnly, isOwnReport, reach, tool };
}

/** The tool for terminals of MCP clients, which does what several commands do. */
export const TERMINAL_CALL = 'terminal-call';

/** What rules call a command: `terminal execute`, also where that is asked for in one tool for all that is done with terminals. */
function commandOf(name: string, { call }: Readonly<Record<string, unknown>>): string {
  const action = name === TERMINAL_CALL && isRecord(call) ? call['action'] : undefined;
  return typeof action === 'string' ? `terminal ${action}` : name;
}

/** The project that a terminal command names. */
export function projectIn({
  call,
  project_path: given,
}: Readonly<Record<string, unknown>>): string | undefined {
  const request = isRecord(call) && isRecord(call['request']) ? call['request'] : undefined;
  const path = request === undefined ? given : request['project_path'];
  return typeof path === 'string' ? path : undefined;
}

/** Commands that run the tool that they name. */
export const RUNNING: ReadonlySet<string> = new Set(['run-tool', 'tools call']);

function toolOf(name: string, { tool }: Readonly<Record<string, unknown>>): string | undefined {
  const own = toolOfCommand(name) ?? TOOLS.get(name);
  if (own !== undefined || !RUNNING.has(name)) return own;
  return typeof tool === 'string' ? tool : '';
}

function reachOf(kind: JudgedCommand['kind'], group: string, tool: string | undefined): Reach {
  if (tool !== undefined) return 'tools';
  if (group === 'terminals') return 'terminals';
  // The clipboard belongs to no application.
  return (kind === 'act' || kind === 'input') && group !== 'clipboard' ? 'applications' : 'other';
}
