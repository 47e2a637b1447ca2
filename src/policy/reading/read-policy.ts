import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { RuledCommand } from '../../model/policy/ruled-command.ts';
import { MODE_VARIABLE, SECURITY_MODES, type Policy } from '../../model/policy/verdict.ts';
import { byPerson, mentionCommand } from '../../model/text/mention.ts';
import { clip, quote, reveal } from '../../model/text/untrusted-text.ts';
import type { PolicyFileText } from '../../ports/policy/policy-file.ts';
import { ApplicationLists, DECISION_OF, listRules, Lists, NO_LISTS, TerminalLists } from './read-lists.ts';
import { FollowedPaths, type FollowPath } from './followed-paths.ts';
import { Mistake } from './mistake.ts';
import { requireApprovable } from './never-applies.ts';
import { commandsLike, commandsOf, MOST_RULES, ruleOf, RuleTable, type RuleFacts } from './read-rule.ts';
import { approvalOf, UnattendedTable } from './read-unattended.ts';
import { policyOf, type PolicyOptions, type RuleSource } from '../rules/rules.ts';
import type { Approval } from '../rules/unattended.ts';

const MOST_APPROVALS = 100;

const PolicyFile = z.strictObject({
  mode: z.enum(SECURITY_MODES).optional(),
  applications: ApplicationLists.default({ ...NO_LISTS, except: [] }),
  commands: Lists.default(NO_LISTS),
  tools: Lists.default(NO_LISTS),
  terminals: TerminalLists.default(NO_LISTS),
  rule: z.array(RuleTable).max(MOST_RULES).default([]),
  unattended: z
    .record(z.string().regex(/^[\w-]{1,64}$/), UnattendedTable)
    .refine((all) => Object.keys(all).length <= MOST_APPROVALS, `has more than ${MOST_APPROVALS} entries`)
    .default({}),
});
type PolicyFile = z.output<typeof PolicyFile>;

const ALLOWED_VARIABLE = 'DESKTERITY_ALLOWED_APPS';
const DENIED_VARIABLE = 'DESKTERITY_DENIED_APPS';
/** Names what was approved beforehand: nothing else is done then, and nobody is asked. */
const UNATTENDED_VARIABLE = 'DESKTERITY_UNATTENDED';
const VARIABLES = [MODE_VARIABLE, ALLOWED_VARIABLE, DENIED_VARIABLE, UNATTENDED_VARIABLE];

/** A policy file that was found. */
export interface FoundPolicy {
  readonly path: string;
  readonly file: PolicyFileText;
  /** It belongs to a project, which can only forbid. */
  readonly isOfProject: boolean;
}

export interface ReadOptions extends Pick<PolicyOptions, 'now'> {
  /** All commands: a rule about one that does not exist, or that it never applies to, is a mistake. */
  readonly commands: readonly RuledCommand[];
  readonly followPath?: FollowPath | undefined;
}

/** The policy of files, the user's first, and of a client's variables. @throws DeskterityError CONFIG_INVALID */
export function readPolicy(
  files: readonly FoundPolicy[],
  environment: Readonly<Record<string, string | undefined>>,
  { commands, now, followPath = () => ({}) }: ReadOptions,
): Policy {
  const read = files.map((found) => ofFile(found, commands, followPath));
  const variables = VARIABLES.map((name) => environment[name] ?? '');
  const key = { read, variables, now };
  const before = recent.find((one) => isSame(one, key));
  if (before?.paths.isCurrent() === true) return before.policy;
  const paths = new FollowedPaths(followPath);
  const policy = joined(read, environment, { now, paths });
  recent.unshift({ ...key, paths, policy });
  recent.length = Math.min(recent.length, MOST_RECENT);
  return policy;
}

/** Policies of the last callers: each call asks for its own, and they hardly ever change. */
const recent: (PolicyKey & { readonly paths: FollowedPaths; readonly policy: Policy })[] = [];
const MOST_RECENT = 8;

interface PolicyKey {
  readonly read: readonly ReadFile[];
  readonly variables: readonly string[];
  readonly now: PolicyOptions['now'];
}

function isSame(one: PolicyKey, other: PolicyKey): boolean {
  return (
    one.now === other.now &&
    one.read.length === other.read.length &&
    one.read.every((file, index) => file === other.read[index]) &&
    one.variables.every((value, index) => value === other.variables[index])
  );
}

function joined(
  read: readonly ReadFile[],
  environment: Readonly<Record<string, string | undefined>>,
  { now, paths }: Pick<PolicyOptions, 'now'> & { readonly paths: FollowedPaths },
): Policy {
  const client = ofVariables(environment, paths);
  const sources = [...read.map(({ source }) => source), ...(client === undefined ? [] : [client])];
  const name = environment[UNATTENDED_VARIABLE];
  if (name === undefined || name === '') return policyOf(sources, { now });
  const approvals = read.flatMap((one) => one.approvals);
  const approval = approvals.find((one) => one.name === name);
  if (approval === undefined) throw notApproved(name);
  return policyOf(sources, { approval, now });
}

/** What counts while the policy cannot be read: nothing is allowed. */
export function closedPolicy(problem: DeskterityError): Policy {
  const rule = 'the unreadable policy';
  const why = `${problem.message} ${problem.suggestion}`;
  return {
    mode: 'sandboxed',
    lists: [],
    problem,
    judgesElements: true,
    decide: ({ isOwnReport }) =>
      isOwnReport === true
        ? { decision: 'allow', rule, why: 'It only reports on Deskterity itself.' }
        : { decision: 'deny', rule, why },
  };
}

interface ReadFile {
  readonly source: RuleSource;
  readonly approvals: readonly Approval[];
  readonly paths: FollowedPaths;
}

/** Files are parsed once for as long as they do not change; by table, and by whose file it is. */
const known = { own: new WeakMap<object, ReadFile>(), project: new WeakMap<object, ReadFile>() };

function ofFile(
  { path, file, isOfProject }: FoundPolicy,
  commands: readonly RuledCommand[],
  followPath: FollowPath,
): ReadFile {
  if (file.problem !== undefined) throw invalid(path, file.problem, file.line);
  const cache = isOfProject ? known.project : known.own;
  const before = cache.get(file.table);
  if (before?.paths.isCurrent() === true) return before;
  try {
    const paths = new FollowedPaths(followPath);
    const made = compiled(reveal(path), parsed(file.table), { isOfProject, commands, paths });
    cache.set(file.table, made);
    return made;
  } catch (error) {
    if (error instanceof Mistake) throw invalid(path, error.message, undefined, error.fix);
    throw error;
  }
}

function parsed(table: Readonly<Record<string, unknown>>): PolicyFile {
  // Compiling a parser would take longer than parsing once.
  const read = PolicyFile.safeParse(table, { jitless: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = placeOf(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys')
    throw new Mistake(
      `${place === '' ? '' : `${place}: `}${quote(clip(issue.keys[0] ?? '', 80))} is not known`,
      'Correct or remove that key',
    );
  throw new Mistake(`${place === '' ? 'the file' : place}: ${issue?.message ?? 'is invalid'}`);
}

/** `rule.2.role` is the third rule. */
function placeOf([first, second, ...rest]: readonly PropertyKey[]): string {
  const isRule = first === 'rule' && typeof second === 'number';
  const begun = isRule ? [`rule ${second + 1}`] : [first, second].filter((key) => key !== undefined);
  const words = [...begun, ...rest].map((key) => clip(String(key), 80));
  return words.length === 0 ? '' : quote(words.join('.'));
}

function compiled(
  source: string,
  { mode, applications, commands, tools, terminals, rule, unattended }: PolicyFile,
  facts: Omit<RuleFacts, 'source' | 'number'>,
): ReadFile {
  const { paths } = facts;
  if (facts.isOfProject) {
    if (applications.except.length > 0)
      throw new Mistake(
        'a project may not lift denials (applications.except)',
        'Remove it, or write it into your own policy.toml',
      );
    if (Object.keys(unattended).length > 0)
      throw new Mistake(
        'a project may not approve unattended runs',
        'Remove it, or write it into your own policy.toml',
      );
  }
  requireCommands(commands, facts);
  for (const [name, table] of Object.entries(unattended))
    for (const word of table.commands) requireApprovable(word, commandsLike(word, facts), name);
  return {
    source: {
      source,
      mode,
      isOfProject: facts.isOfProject,
      except: applications.except.flatMap((one) => paths.namesOf(one)),
      rules: [
        ...listRules(source, { applications, commands, tools, terminals }, paths),
        ...rule.map((one, index) => ruleOf(one, { ...facts, source, number: index + 1 })),
      ],
    },
    approvals: Object.entries(unattended).map(([name, table]) => approvalOf(name, table, { source, paths })),
    paths,
  };
}

/** @throws Mistake for a word in a list that would do nothing */
function requireCommands(lists: PolicyFile['commands'], facts: Pick<RuleFacts, 'commands'>): void {
  for (const list of ['denied', 'confirm', 'allowed'] as const)
    try {
      commandsOf(lists[list], facts, { decision: DECISION_OF[list] });
    } catch (error) {
      if (error instanceof Mistake) throw new Mistake(`commands.${list}: ${error.message}`, error.fix);
      throw error;
    }
}

function ofVariables(
  environment: Readonly<Record<string, string | undefined>>,
  paths: FollowedPaths,
): RuleSource | undefined {
  const { [MODE_VARIABLE]: mode, [ALLOWED_VARIABLE]: allowed, [DENIED_VARIABLE]: denied } = environment;
  if (!mode && !allowed && !denied) return undefined;
  const isKnown = z
    .enum(SECURITY_MODES)
    .optional()
    .safeParse(mode || undefined);
  if (!isKnown.success)
    throw new DeskterityError(
      'CONFIG_INVALID',
      `${MODE_VARIABLE} is ${quote(clip(mode ?? '', 80))}, which is no mode. Until it is, commands are refused.`,
      { suggestion: `${byPerson('Set it to')} one of ${SECURITY_MODES.join(', ')}.` },
    );
  const source = 'DESKTERITY_ variables';
  const applications = { allowed: namesIn(allowed), confirm: [], denied: namesIn(denied), except: [] };
  const lists = { applications, commands: NO_LISTS, tools: NO_LISTS, terminals: NO_LISTS };
  return { source, mode: isKnown.data, except: [], rules: listRules(source, lists, paths) };
}

function namesIn(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

const LONGEST_PROBLEM = 300;

function invalid(path: string, problem: string, line?: number, fix?: string): DeskterityError {
  const place = line === undefined ? reveal(path) : `${reveal(path)}, line ${line}`;
  return new DeskterityError(
    'CONFIG_INVALID',
    `The policy in ${place} cannot be used: ${clip(reveal(problem), LONGEST_PROBLEM)}. Until it can, commands are refused.`,
    {
      suggestion: `${byPerson(fix ?? 'Correct or remove that file')}; then run ${mentionCommand('policy show')}.`,
    },
  );
}

function notApproved(name: string): DeskterityError {
  return new DeskterityError(
    'CONFIG_INVALID',
    `${UNATTENDED_VARIABLE} is ${quote(clip(name, 80))}, and policy.toml has no table of that name below unattended. Until it has, commands are refused.`,
    { suggestion: `${byPerson('Correct the variable, or approve the run in policy.toml')}.` },
  );
}
