import type { AuditFacts } from '../model/audit/entry.ts';
import { isRecord } from '../model/is-record.ts';
import type { DecidedApplication } from '../model/policy/decided.ts';
import { toolOfCommand } from '../model/tools/tool-command-name.ts';
import { WITHHELD } from '../model/redaction/withheld.ts';
import type { CommandDefinition } from './definition.ts';
import type { RegisteredCommand } from './registry.ts';

/** Input keys that say what is acted on, and how; each by the name of its fact. */
const RECORDED: Readonly<Record<string, string>> = {
  add: 'add',
  alias: 'alias',
  all: 'all',
  app: 'application',
  background: 'background',
  button: 'button',
  by_index: 'by_index',
  client: 'for_client',
  confined: 'confined',
  count: 'count',
  desktop: 'desktop',
  direction: 'direction',
  dry_run: 'dry_run',
  dx: 'dx',
  dy: 'dy',
  force: 'force',
  from: 'from',
  from_ref: 'from',
  from_xy: 'from',
  live: 'live',
  mode: 'input_mode',
  name: 'name',
  operation_id: 'operation',
  path: 'path',
  private: 'private',
  project_path: 'project',
  read_only: 'read_only',
  ref: 'target',
  remove: 'remove',
  request: 'request',
  seat: 'seat',
  server: 'server',
  tag: 'tag',
  target: 'target',
  terminal: 'terminal',
  title: 'title',
  to: 'to',
  to_ref: 'to',
  to_xy: 'to',
  tool: 'tool',
  undo: 'undo',
  window: 'window',
  working_directory: 'project',
  x: 'x',
  y: 'y',
};

/** Names of applications come from them. */
const LONGEST_FACT = 200;

/** Of lists, the number is recorded; what is in them may have been typed. */
const COUNTED: Readonly<Record<string, string>> = { fields: 'fields', files: 'files', steps: 'steps' };

/** Of command lines, only the program: arguments may be secrets. */
const COMMAND_LINES: ReadonlySet<string> = new Set(['command']);
const PROGRAM = /^[\w./+-]{1,80}$/;

/** Whether a call does something, rather than only read. The clipboard counts: what it holds comes from other applications. */
export function isEffectful(definition: CommandDefinition, input: unknown): boolean {
  const { kind, group, isReadOnly, beyondReading, peopleOnly } = definition;
  if (kind === 'act' || kind === 'input' || group === 'clipboard') return true;
  const goesBeyond = [beyondReading, peopleOnly].some(
    (key) => key !== undefined && isRecord(input) && input[key] !== undefined && input[key] !== false,
  );
  return goesBeyond || (kind === 'admin' && isReadOnly !== true);
}

/** What is recorded of a call's input: where it acts, never what is typed. Other input keys are left out. */
export function factsOfInput(
  { definition, name }: RegisteredCommand,
  input: unknown,
  secrets: readonly string[] = [],
): AuditFacts {
  const facts: Record<string, string | number | boolean> = { command: name, does: definition.kind };
  // The input of tools of tool files and of other servers means what they choose.
  if (!isRecord(input) || definition.isOfToolFile === true || toolOfCommand(name) !== undefined) return facts;
  for (const [key, value] of Object.entries(input)) {
    if (key === definition.secret || value === undefined || value === false) continue;
    if (Object.hasOwn(COUNTED, key) && Array.isArray(value)) facts[COUNTED[key] ?? key] = value.length;
    else if (COMMAND_LINES.has(key)) facts['program'] = programIn(value);
    else if (Object.hasOwn(RECORDED, key)) {
      const fact = factIn(value, secrets);
      if (fact !== undefined) facts[RECORDED[key] ?? key] = fact;
    }
  }
  return facts;
}

/** What is recorded of the application that was acted on, as its process and the policy tell it. */
export function factsOfApplication(
  { facts, verdict }: DecidedApplication,
  secrets: readonly string[] = [],
): AuditFacts {
  const { name, executable, desktopIds, pid } = facts;
  const masked = (text: string | undefined) => text && withoutSecrets(text.slice(0, LONGEST_FACT), secrets);
  return {
    app_name: masked(name),
    app_pid: pid,
    app_executable: masked(executable),
    app_desktop_id: masked(desktopIds?.[0]),
    rule: verdict.rule.slice(0, LONGEST_FACT),
  };
}

/** What is recorded of an answer or of the report in an error. */
export function factsOfAnswer(output: unknown, secrets: readonly string[] = []): AuditFacts {
  if (!isRecord(output)) return {};
  const target = isRecord(output['target']) ? output['target'] : {};
  return {
    effect: textIn(output, 'effect', secrets),
    via: textIn(output, 'via', secrets),
    operation: textIn(output, 'operation_id', secrets),
    element_role: textIn(target, 'role', secrets),
    element_name: textIn(target, 'name', secrets),
    element_ref: textIn(target, 'ref', secrets),
  };
}

function textIn(
  from: Readonly<Record<string, unknown>>,
  key: string,
  secrets: readonly string[],
): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? withoutSecrets(value, secrets) : undefined;
}

function factIn(value: unknown, secrets: readonly string[]): string | number | boolean | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return withoutSecrets(value, secrets);
  if (!Array.isArray(value)) return undefined;
  const parts = value.filter((part) => typeof part === 'string' || typeof part === 'number');
  return withoutSecrets(parts.join(' > '), secrets);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.some((secret) => secret !== '' && text.includes(secret)) ? WITHHELD : text;
}

/** The first word, if it is a plain name and no assignment of a variable. */
function programIn(value: unknown): string {
  const line: unknown = Array.isArray(value) ? value[0] : value;
  const [first = ''] = typeof line === 'string' ? line.trim().split(/\s/, 1) : [];
  return PROGRAM.test(first) ? first : 'not a plain name';
}
