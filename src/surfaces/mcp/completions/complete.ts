import { DeskterityError } from '../../../model/effects/errors.ts';
import type { CompletionRequest, McpConnection } from '../connections/connection.ts';
import type { ClientCalls } from '../tools/client-calls.ts';
import type { RunCommand } from '../resources/run-command.ts';
import { TEMPLATES } from '../resources/definitions.ts';
import { unknownName } from '../protocol-errors.ts';
import { ProtocolError, type Prompt } from '../sdk.ts';
import {
  applicationNames,
  destinations,
  elementNames,
  elementRefs,
  regions,
  windowIndexes,
} from './candidates.ts';

/** A person is typing: later results are useless. */
const DEADLINE_MS = 1500;
/** Shorter, so that a list without one slow application still arrives in time. */
const CALL_DEADLINE_MS = 1200;

type Known = Readonly<Record<string, string>>;
/** Lists all values; they are filtered by the typed text afterwards. */
type Source = (run: RunCommand, known: Known, typed: string) => Promise<readonly string[]>;

const NONE: readonly string[] = [];

/** Possible values by argument name; all prompts use the same names. */
const SOURCES: Readonly<Record<string, Source>> = {
  app_name: applicationNames,
  source_app: applicationNames,
  target_app: applicationNames,
  apps: applicationNames,
  focus_area: inApp('app_name', regions),
  destination: inApp('app_name', destinations),
  element_description: element('app_name'),
  query_tried: element('app_name'),
  source_element: element('source_app'),
  target_element: element('target_app'),
  output_format: async () => ['json', 'csv', 'markdown'],
};

/** Arguments with several comma-separated values, the last of which is completed. */
const LISTS: ReadonlySet<string> = new Set(['apps']);

/** Completes arguments of prompts and of resource templates from the desktop. */
export function completeFor(
  calls: Pick<ClientCalls, 'answer' | 'look' | 'session'>,
  prompts: () => readonly Pick<Prompt, 'name' | 'arguments'>[],
): McpConnection['complete'] {
  return async (request) => {
    const source = sourceOf(request, prompts(), calls.session);
    const { argument, known } = request;
    if (source === undefined) return NONE;
    // References must come from the client's session; names must not disturb it.
    const via = argument.value.trimStart().startsWith('@') ? 'answer' : 'look';
    const runUntil =
      (signal: AbortSignal): RunCommand =>
      (command, input) =>
        calls[via](command, { ...input, timeout_ms: CALL_DEADLINE_MS }, { signal });
    const { before, last } = LISTS.has(argument.name)
      ? split(argument.value)
      : { before: [], last: argument.value };
    try {
      const values = await limited(request.signal, (signal) => source(runUntil(signal), known, last));
      const taken = new Set(before.map((value) => value.toLowerCase()));
      const open = values.filter((value) => !taken.has(value.toLowerCase()));
      return matching(open, last).map((value) => [...before, value].join(', '));
    } catch (error) {
      // An application that fails or is slow just has no completions.
      if (error instanceof DeskterityError || error instanceof ProtocolError) return NONE;
      throw error;
    }
  };
}

/** `undefined` for an argument without a list of values. @throws ProtocolError for an unknown name */
function sourceOf(
  { of, argument }: CompletionRequest,
  prompts: readonly Pick<Prompt, 'name' | 'arguments'>[],
  session: string,
): Source | undefined {
  if (of.kind === 'prompt') {
    const prompt = requireNamed('prompt', of.name, prompts, ({ name }) => name);
    const argumentsOf = prompt.arguments ?? [];
    requireNamed(`argument of the prompt "${prompt.name}"`, argument.name, argumentsOf, ({ name }) => name);
    return Object.hasOwn(SOURCES, argument.name) ? SOURCES[argument.name] : undefined;
  }
  const { uriTemplate } = requireNamed(
    'resource template',
    of.uriTemplate,
    TEMPLATES,
    (template) => template.uriTemplate,
  );
  const variables = [...uriTemplate.matchAll(/\{(\w+)\}/g)].flatMap(([, variable]) => variable ?? []);
  const variable = requireNamed(`variable of ${uriTemplate}`, argument.name, variables, (name) => name);
  if (variable === 'id') return async () => [session];
  return variable === 'name' ? applicationNames : inApp('name', windowIndexes);
}

function inApp(key: string, values: (run: RunCommand, app: string) => Promise<readonly string[]>): Source {
  return async (run, known) => {
    const app = Object.hasOwn(known, key) ? known[key] : undefined;
    return app === undefined || app === '' ? NONE : values(run, app);
  };
}

function element(key: string): Source {
  return (run, known, typed) =>
    inApp(key, typed.trimStart().startsWith('@') ? elementRefs : elementNames)(run, known, typed);
}

/** The complete values of a list, and the unfinished last one. */
function split(typed: string): { readonly before: readonly string[]; readonly last: string } {
  const values = typed.split(',').map((value) => value.trim());
  return { before: values.slice(0, -1).filter((value) => value !== ''), last: values.at(-1) ?? '' };
}

function requireNamed<T>(what: string, given: string, all: readonly T[], nameOf: (one: T) => string): T {
  const found = all.find((one) => nameOf(one) === given);
  if (found !== undefined) return found;
  throw unknownName(
    what,
    given,
    all.map((one) => nameOf(one)),
  );
}

/**
 * Runs `work` until the outer signal aborts or time is up: then its own signal aborts and there are no values. Not `AbortSignal.any`, whose
 * sources Node 20 may garbage-collect.
 */
async function limited(
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const aborted = new Promise<readonly string[]>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(NONE), { once: true });
  });
  const timer = setTimeout(abort, DEADLINE_MS);
  outer.addEventListener('abort', abort, { once: true });
  if (outer.aborted) abort();
  const running = work(controller.signal);
  // A failure after the abort must not be unhandled.
  running.catch(() => undefined);
  try {
    return await Promise.race([aborted, running]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', abort);
  }
}

const MOST_CONSIDERED = 1000;

/** The values that match the typed text, ignoring case: first those that start with it, then those that contain it. */
export function matching(values: readonly string[], typed: string): readonly string[] {
  const prefix = typed.trim().toLowerCase();
  const considered = [...new Set(values.slice(0, MOST_CONSIDERED))];
  if (prefix === '') return considered;
  const beginning = considered.filter((value) => value.toLowerCase().startsWith(prefix));
  const containing = considered.filter((value) => value.toLowerCase().indexOf(prefix) > 0);
  return [...beginning, ...containing];
}
