import type {
  ApplicationFacts,
  Policy,
  PolicyList,
  PolicyRequest,
  SecurityMode,
  Verdict,
} from '../model/policy/verdict.ts';
import { allNames, provenNames } from './application-names.ts';
import { DEFAULT_DENIED, DENIED_GROUPS, relationDenial } from './default-denied.ts';
import { LONGEST_COMPARED, matches, plain } from './pattern.ts';

/** The lists of one source. An empty `allowed` allows everything that is not denied. */
export interface RuleLists {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/** The rules of one source: a file or the variables of a client. */
export interface RuleSource {
  readonly source: string;
  readonly mode?: SecurityMode | undefined;
  readonly applications: RuleLists & {
    /** What is not denied by the built-in lists: absolute paths of executables, patterns and groups of these lists. */
    readonly except: readonly string[];
  };
  readonly commands: RuleLists;
  readonly tools: RuleLists;
}

const ALLOWED: Verdict = { decision: 'allow', rule: 'default', why: 'No rule denies it.' };

/** The policy of several sources, of which each can only tighten what the others say. */
export function policyOf(sources: readonly RuleSource[]): Policy {
  const mode = sources.some((one) => one.mode === 'sandboxed') ? 'sandboxed' : 'normal';
  const except = sources.flatMap(({ applications }) => applications.except);
  return {
    mode,
    lists: listsOf(sources),
    decide: (request) =>
      sandboxed(mode, request) ??
      first(sources, (source) => onCommand(source, request)) ??
      (request.application === undefined
        ? undefined
        : (first(sources, (source) => onApplication(source, request.application ?? {})) ??
          byDefault(except, request.application))) ??
      ALLOWED,
  };
}

function first(
  sources: readonly RuleSource[],
  judge: (source: RuleSource) => Verdict | undefined,
): Verdict | undefined {
  for (const source of sources) {
    const verdict = judge(source);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

function sandboxed(mode: SecurityMode, { command, isReadOnly }: PolicyRequest): Verdict | undefined {
  if (mode !== 'sandboxed' || command === undefined || isReadOnly === true) return undefined;
  return deny('mode sandboxed', 'Only commands that change nothing are allowed in this mode.');
}

function onCommand(source: RuleSource, { command, tool }: PolicyRequest): Verdict | undefined {
  return (
    (command === undefined ? undefined : onText(source, 'commands', command)) ??
    (tool === undefined ? undefined : onText(source, 'tools', tool))
  );
}

function onText(source: RuleSource, kind: 'commands' | 'tools', text: string): Verdict | undefined {
  const { allowed, denied } = source[kind];
  const rule = likeOf(denied, [text], 'deny');
  if (rule !== undefined)
    return deny(`${kind}.denied ${JSON.stringify(rule)}`, `${source.source} denies it.`);
  if (allowed.length === 0 || likeOf(allowed, [text], 'allow') !== undefined) return undefined;
  return deny(`${kind}.allowed`, `${source.source} allows only what this list names.`);
}

function onApplication({ source, applications }: RuleSource, facts: ApplicationFacts): Verdict | undefined {
  const { allowed, denied } = applications;
  const rule = likeOf(denied, allNames(facts), 'deny');
  if (rule !== undefined) return deny(`applications.denied ${JSON.stringify(rule)}`, `${source} denies it.`);
  if (allowed.length === 0 || likeOf(allowed, provenNames(facts), 'allow') !== undefined) return undefined;
  return deny('applications.allowed', `${source} allows only the programs that this list names.`);
}

function byDefault(except: readonly string[], facts: ApplicationFacts): Verdict | undefined {
  const { executable, relation } = facts;
  const related = relationDenial(facts);
  const isLifted = executable !== undefined && except.includes(executable);
  if (related !== undefined && (relation === 'own' || !(isLifted || except.includes(related.name))))
    return deny(`built-in ${JSON.stringify(related.name)}`, related.why);
  if (isLifted) return undefined;
  const names = allNames(facts);
  for (const { name, why, programs } of DENIED_GROUPS) {
    if (except.includes(name)) continue;
    const rule = likeOf(
      programs.filter((pattern) => !except.includes(pattern)),
      names,
      'deny',
    );
    if (rule !== undefined) return deny(`built-in ${JSON.stringify(rule)}`, why);
  }
  return undefined;
}

/** Whether keys and clicks for others may go to it while it shows a window. */
export function mayTakeInput(facts: ApplicationFacts): boolean {
  const names = allNames(facts);
  return DENIED_GROUPS.some(
    ({ takesInput, programs }) => takesInput && likeOf(programs, names, 'deny') !== undefined,
  );
}

/** Only patterns are kept: they come from people and are few. */
const PLAIN = new Map<string, string>(DEFAULT_DENIED.map((pattern) => [pattern, plain(pattern)]));
const MOST_KEPT = 1000;

function plainPattern(pattern: string): string {
  const known = PLAIN.get(pattern);
  if (known !== undefined) return known;
  const made = plain(pattern);
  if (PLAIN.size < MOST_KEPT) PLAIN.set(pattern, made);
  return made;
}

/** The first pattern that one of the texts is like. */
function likeOf(
  patterns: readonly string[],
  texts: readonly string[],
  use: 'allow' | 'deny',
): string | undefined {
  if (patterns.length === 0) return undefined;
  const isTooLong = texts.some((text) => text.length > LONGEST_COMPARED);
  if (isTooLong && use === 'deny') return patterns[0];
  const compared = texts.filter((text) => text.length <= LONGEST_COMPARED).map((text) => plain(text));
  return patterns.find((pattern) => compared.some((text) => matches(plainPattern(pattern), text)));
}

function deny(rule: string, why: string): Verdict {
  return { decision: 'deny', rule, why };
}

function listsOf(sources: readonly RuleSource[]): PolicyList[] {
  const given = sources.flatMap(({ source, applications, commands, tools }) =>
    Object.entries({ applications, commands, tools }).flatMap(([kind, lists]) =>
      Object.entries(lists)
        .filter(([, patterns]) => patterns.length > 0)
        .map(([list, patterns]) => ({ name: `${kind}.${list}`, source, patterns })),
    ),
  );
  return [...given, { name: 'applications.denied', source: 'built in', patterns: DEFAULT_DENIED }];
}
