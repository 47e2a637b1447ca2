import type {
  Concern,
  Policy,
  PolicyList,
  PolicyRequest,
  SecurityMode,
  UnattendedRun,
  Verdict,
} from '../../model/policy/verdict.ts';
import { byDefault, DEFAULT_ASKED, DEFAULT_DENIED } from './default-denied.ts';
import { byLoss } from './loss.ts';
import { matchRule, prepare, type Prepared } from './match-rule.ts';
import { byMode, strictestMode } from './modes.ts';
import { concernOf, type Rule } from './rule.ts';
import { serverDenial } from './server-verdict.ts';
import { unattendedVerdict, type Approval } from './unattended.ts';

/** The rules of one source: a file or the variables of a client. */
export interface RuleSource {
  readonly source: string;
  readonly mode?: SecurityMode | undefined;
  /** It belongs to a project, which approves nothing. */
  readonly isOfProject?: boolean | undefined;
  /** Executables, by absolute path, that the built-in list does not deny. */
  readonly except: readonly string[];
  readonly rules: readonly Rule[];
}

export interface PolicyOptions {
  /** Makes this an unattended run. */
  readonly approval?: Approval | undefined;
  readonly now?: (() => number) | undefined;
}

const ALLOWED: Verdict = { decision: 'allow', rule: 'default', why: 'No rule denies it.' };

/** These explain a refusal, and so are never refused. */
export const EXPLAINING: ReadonlySet<string> = new Set(['policy show', 'policy explain']);

/**
 * The policy of several sources, of which each can only tighten what the others say: what denies in any of them decides first, then the lists of each that
 * name what is allowed, then what asks for consent.
 */
export function policyOf(sources: readonly RuleSource[], options: PolicyOptions = {}): Policy {
  const mode = strictestMode(sources);
  const except = new Set(sources.flatMap((source) => source.except));
  const all = sources.flatMap(({ rules }) => rules);
  const forbidding = new Map(CONCERNS.map((concern) => [concern, forbiddingRules(all, concern)]));
  const listing = sources.map(({ rules }) => listsOf(rules));
  const own = sources.flatMap(({ isOfProject, rules }) => (isOfProject === true ? [] : rules));
  const tooling = sources.map(({ mode: its, isOfProject, rules }) => ({
    asks: its === 'safe',
    isOwn: isOfProject !== true,
    listed: rules.filter(({ decision, tools }) => decision === 'allow' && tools !== undefined),
  }));
  const { approval, now = Date.now } = options;
  const judge = (given: Prepared, concerns: readonly Concern[]): Verdict => {
    const rules = concerns.flatMap((concern) => forbidding.get(concern) ?? []);
    const denied = first(rules, 'deny', given);
    if (denied !== undefined) return denied;
    const modal = byMode(mode, given.request, concerns, isListedTool(tooling, given));
    if (modal?.decision === 'deny') return modal;
    const unlisted = notListed(listing, concerns, given);
    if (unlisted !== undefined) return unlisted;
    const builtIn =
      concerns.includes('application') && given.application !== undefined
        ? byDefault(except, given.application.facts, given.application.all)
        : undefined;
    if (builtIn?.decision === 'deny') return builtIn;
    const isReading = given.request.isReadOnly === true;
    const asking = isReading ? rules.filter((rule) => concernOf(rule) === 'command') : rules;
    const asked = first(asking, 'confirm', given) ?? modal ?? (isReading ? undefined : builtIn);
    return asked ?? (concerns.includes('loss') ? byLoss(mode, given, own) : undefined) ?? ALLOWED;
  };
  const remembered = new Map<string, Verdict>();
  const decide = (request: PolicyRequest): Verdict => {
    const concerns = CONCERNS.filter((concern) => isKnown(concern, request));
    const key = keyOf(request, concerns);
    const before = key === undefined ? undefined : remembered.get(key);
    if (before !== undefined && approval === undefined) return before;
    const given = prepare(request);
    const asked = before ?? judge(given, concerns);
    if (key !== undefined && before === undefined) remember(remembered, key, asked);
    if (approval === undefined || asked.decision === 'deny') return asked;
    return unattendedVerdict(approval, { given, concerns, asked }, now());
  };
  const ofServer = (server: string): Verdict =>
    serverDenial(server, {
      mode,
      denying: (forbidding.get('command') ?? []).filter(({ decision }) => decision === 'deny'),
      allowing: listing.map((lists) => ({
        command: lists.get('command') ?? [],
        tool: lists.get('tool') ?? [],
      })),
      approval,
      verdictOf,
      decide,
    }) ?? ALLOWED;
  const elements = forbidding.get('element') ?? [];
  return {
    mode,
    lists: shownLists(sources, approval),
    unattended: approval === undefined ? undefined : runOf(approval),
    judgesElements: elements.length > 0,
    decide: (request) => {
      if (request.server !== undefined) return ofServer(request.server);
      return isExplaining(request) ? ALLOWED : decide(request);
    },
  };
}

const MOST_REMEMBERED = 500;
const LONGEST_KEY = 2000;

/** Applications are asked about again and again, for each window and each read; what decides about them, with the command that reaches them. */
function keyOf(request: PolicyRequest, concerns: readonly Concern[]): string | undefined {
  if (concerns.length !== 1 || concerns[0] !== 'application') return undefined;
  const { command, tool, application, isReadOnly } = request;
  const key = JSON.stringify([command, tool, application, isReadOnly]);
  return key.length > LONGEST_KEY ? undefined : key;
}

function remember(remembered: Map<string, Verdict>, key: string, verdict: Verdict): void {
  const [oldest] = remembered.keys();
  if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(key, verdict);
}

const CONCERNS: readonly Concern[] = ['command', 'terminal', 'application', 'element', 'loss'];

function isExplaining({ command, concerning }: PolicyRequest): boolean {
  return command !== undefined && concerning === undefined && EXPLAINING.has(command);
}

function isKnown(concern: Concern, request: PolicyRequest): boolean {
  if (request.concerning !== undefined && request.concerning !== concern) return false;
  if (concern === 'command') return request.command !== undefined || request.tool !== undefined;
  if (concern === 'terminal') return request.terminalProject !== undefined;
  if (concern === 'loss') return request.loss !== undefined;
  if (concern === 'application') return request.application !== undefined;
  // Elements are judged when they are acted on.
  return request.element !== undefined && request.isReadOnly !== true;
}

function forbiddingRules(rules: readonly Rule[], concern: Concern): readonly Rule[] {
  return rules.filter((rule) => rule.decision !== 'allow' && concernOf(rule) === concern);
}

function first(rules: readonly Rule[], decision: 'deny' | 'confirm', given: Prepared): Verdict | undefined {
  for (const rule of rules) {
    if (rule.decision !== decision) continue;
    const found = matchRule(rule, given);
    if (found !== undefined) return verdictOf(rule, found);
  }
  return undefined;
}

function verdictOf({ decision, name, source, reason }: Rule, pattern: string): Verdict {
  const does = decision === 'deny' ? 'denies it' : 'asks for the consent of a person';
  return {
    decision,
    rule: pattern === '' || name.startsWith('rule ') ? name : `${name} ${JSON.stringify(pattern)}`,
    why: reason === undefined ? `${source} ${does}.` : `${source} ${does}: ${reason}`,
  };
}

/** What only some things of a kind are allowed of. */
const LISTED = ['command', 'tool', 'terminal', 'application'] as const;
type Listed = (typeof LISTED)[number];
type Lists = ReadonlyMap<Listed, readonly Rule[]>;

function listsOf(rules: readonly Rule[]): Lists {
  const allowing = rules.filter(({ decision }) => decision === 'allow');
  return new Map(
    LISTED.flatMap((kind) => {
      const list = allowing.filter((rule) => kindOf(rule) === kind);
      return list.length === 0 ? [] : [[kind, list] as const];
    }),
  );
}

/** A rule that allows is about one thing only. */
function kindOf({ application, terminals, tools }: Rule): Listed {
  if (application !== undefined) return 'application';
  if (terminals !== undefined) return 'terminal';
  return tools === undefined ? 'command' : 'tool';
}

const KINDS: Readonly<Record<Listed, string>> = {
  command: 'commands',
  tool: 'tools',
  terminal: 'terminal projects',
  application: 'programs',
};

function notListed(
  sources: readonly Lists[],
  concerns: readonly Concern[],
  given: Prepared,
): Verdict | undefined {
  for (const lists of sources)
    for (const [kind, rules] of lists) {
      const [one] = rules;
      if (one === undefined || !isAsked(kind, concerns, given)) continue;
      if (rules.some((rule) => matchRule(rule, given) !== undefined)) continue;
      const why = `${one.source} allows only the ${KINDS[kind]} that it names.`;
      return { decision: 'deny', rule: one.name, why };
    }
  return undefined;
}

function isAsked(kind: Listed, concerns: readonly Concern[], { request }: Prepared): boolean {
  if (kind === 'tool') return concerns.includes('command') && request.tool !== undefined;
  if (kind === 'command') return concerns.includes('command') && request.command !== undefined;
  return concerns.includes(kind);
}

interface Tooling {
  /** Whether its mode asks about tools. */
  readonly asks: boolean;
  readonly isOwn: boolean;
  readonly listed: readonly Rule[];
}

/** Whether each source that asks about tools, or else the user, names it: a project cannot answer what somebody else asks. */
function isListedTool(sources: readonly Tooling[], given: Prepared): boolean {
  const names = ({ listed }: Tooling): boolean => listed.some((rule) => matchRule(rule, given) !== undefined);
  if (sources.some((one) => one.isOwn && names(one))) return true;
  return sources.every((one) => !one.asks || names(one));
}

function runOf({ name, from, until }: Approval): UnattendedRun {
  return { name, from: new Date(from), until: new Date(until) };
}

function shownLists(sources: readonly RuleSource[], approval: Approval | undefined): PolicyList[] {
  const given = sources.flatMap(({ source, rules, except }) => [
    ...rules.map(({ name, shown }) => ({ name, source, patterns: shown })),
    ...(except.length === 0 ? [] : [{ name: 'applications.except', source, patterns: except }]),
  ]);
  const approved = approval?.shown ?? [];
  return [
    ...given,
    ...approved,
    { name: 'applications.denied', source: 'built in', patterns: DEFAULT_DENIED },
    { name: 'applications.confirm', source: 'built in', patterns: DEFAULT_ASKED },
  ];
}
