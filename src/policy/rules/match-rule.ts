import { isInside } from '../../model/is-inside.ts';
import type { ApplicationFacts, ElementFacts, PolicyRequest } from '../../model/policy/verdict.ts';
import { serverOfTool } from '../../model/tools/server-of-tool.ts';
import { allNames, provenNames } from './application-names.ts';
import { LONGEST_COMPARED, plain } from './pattern.ts';
import { plainText, type PlainText } from './patterns.ts';
import type { ApplicationMatch, ElementMatch, Rule } from './rule.ts';

/** A request whose texts are prepared once for all rules. */
export interface Prepared {
  readonly request: PolicyRequest;
  readonly command?: PlainText | undefined;
  readonly tool?: PlainText | undefined;
  /** The server that the tool may be one of. */
  readonly server?: PlainText | undefined;
  readonly application?: PreparedApplication | undefined;
  readonly element?: PreparedElement | undefined;
}

interface PreparedApplication {
  readonly facts: ApplicationFacts;
  /** What it cannot choose freely while it runs: the path of its program. */
  readonly proven: readonly PlainText[];
  readonly all: readonly PlainText[];
  readonly name: string;
  readonly ids: readonly string[];
}

interface PreparedElement {
  readonly facts: ElementFacts;
  readonly name: string;
  readonly description: string;
  readonly window: string | undefined;
}

export function prepare(request: PolicyRequest): Prepared {
  const { command, tool, application, element } = request;
  return {
    request,
    command: command === undefined ? undefined : plainText(command),
    tool: tool === undefined ? undefined : plainText(tool),
    server: tool === undefined ? undefined : serverIn(tool),
    application: application === undefined ? undefined : prepareApplication(application),
    element: element === undefined ? undefined : prepareElement(element),
  };
}

function serverIn(tool: string): PlainText | undefined {
  const server = serverOfTool(tool);
  return server === undefined ? undefined : plainText(server);
}

function prepareApplication(facts: ApplicationFacts): PreparedApplication {
  return {
    facts,
    proven: provenNames(facts).map((text) => plainText(text)),
    all: allNames(facts).map((text) => plainText(text)),
    name: plain((facts.name ?? '').slice(0, LONGEST_COMPARED)),
    ids: (facts.desktopIds ?? []).map((id) => plainId(id)),
  };
}

/** Only rules that deny or ask are about elements, so that a part of a very long text is enough. */
function prepareElement(facts: ElementFacts): PreparedElement {
  const short = (text: string): string => plain(text.slice(0, LONGEST_COMPARED));
  return {
    facts,
    name: short(facts.name),
    description: short(facts.description ?? ''),
    window: facts.window === undefined ? undefined : short(facts.window),
  };
}

/** Whether a rule is about a request; the pattern that matched if it has several, otherwise an empty text. */
export function matchRule(rule: Rule, given: Prepared): string | undefined {
  const isAllowing = rule.decision === 'allow';
  let shown = '';
  if (rule.commands !== undefined) {
    const found = given.command === undefined ? undefined : rule.commands.like([given.command], isAllowing);
    if (found === undefined) return undefined;
    shown = found;
  }
  if (rule.tools !== undefined) {
    const { tool, server } = given;
    // What allows names each tool: whoever names a server might choose the name of a tool that is allowed.
    const found =
      (tool === undefined ? undefined : rule.tools.like([tool], isAllowing)) ??
      (server === undefined || isAllowing ? undefined : rule.tools.like([server], false));
    if (found === undefined) return undefined;
    shown = found;
  }
  if (rule.terminals !== undefined) {
    const project = given.request.terminalProject;
    const found = project === undefined ? undefined : rule.terminals.find((one) => isInside(one, project));
    if (found === undefined) return undefined;
    shown = found;
  }
  if (rule.application !== undefined) {
    const found = given.application && matchApplication(rule.application, given.application, isAllowing);
    if (found === undefined) return undefined;
    shown = found;
  }
  if (rule.element !== undefined && !(given.element && matchElement(rule.element, given.element)))
    return undefined;
  return shown;
}

function matchApplication(
  match: ApplicationMatch,
  given: PreparedApplication,
  isAllowing: boolean,
): string | undefined {
  const { proven, all } = given;
  const { any, name, desktopFile, executable, expression } = match;
  const texts = isAllowing ? proven : all;
  const found = any === undefined ? '' : any.like(texts, isAllowing);
  if (found === undefined) return undefined;
  if (name !== undefined && name !== given.name) return undefined;
  if (executable !== undefined && !isProgram(executable, given, isAllowing)) return undefined;
  if (desktopFile !== undefined && !isDesktopFile(desktopFile, given, isAllowing)) return undefined;
  if (expression === undefined) return found;
  return texts.some((text) => (typeof text === 'string' ? expression.test(text) : !isAllowing))
    ? found
    : undefined;
}

/** If the program of a process cannot be read, a rule that forbids programs is about it. */
function isProgram(
  wanted: readonly string[],
  { facts, all }: PreparedApplication,
  isAllowing: boolean,
): boolean {
  const { executable, otherNames = [], pid } = facts;
  if (executable !== undefined && wanted.includes(executable)) return true;
  if (isAllowing) return false;
  if (wanted.some((one) => otherNames.includes(one) || (!one.includes('/') && all.includes(plainText(one)))))
    return true;
  if (executable !== undefined) return false;
  return (
    pid !== undefined || wanted.some((one) => all.includes(plainText(one.slice(one.lastIndexOf('/') + 1))))
  );
}

/** Where no desktop file is known, the last word of the id is compared with what it is called: `org.xfce.mousepad`. */
function isDesktopFile(
  wanted: string,
  { facts, all, ids }: PreparedApplication,
  isAllowing: boolean,
): boolean {
  const { executable, pid } = facts;
  if (ids.includes(wanted)) return true;
  if (isAllowing) return false;
  if (executable === undefined && pid !== undefined) return true;
  return (
    all.includes(wanted) || (ids.length === 0 && all.includes(wanted.slice(wanted.lastIndexOf('.') + 1)))
  );
}

/** The id of a desktop file as it is compared. */
export function plainId(id: string): string {
  return plain(id).replace(/\.desktop$/, '');
}

function matchElement({ role, texts, window }: ElementMatch, given: PreparedElement): boolean {
  if (role !== undefined && role !== given.facts.role) return false;
  // A window whose title is not known is taken for the one that is meant.
  if (window !== undefined && given.window !== undefined && !given.window.includes(window)) return false;
  return texts.every(({ of, matches }) => {
    if (of !== 'description' && matches(given.name)) return true;
    return of !== 'name' && matches(given.description);
  });
}
