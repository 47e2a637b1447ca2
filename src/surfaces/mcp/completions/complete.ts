import { DeskterityError } from '../../../model/effects/errors.ts';
import { nearest } from '../../../model/text/nearest.ts';
import type { CompletionRequest, McpConnection } from '../connections/connection.ts';
import type { DeskCalls } from '../tools/desk-calls.ts';
import type { Ask } from '../resources/ask.ts';
import { TEMPLATES } from '../resources/definitions.ts';
import { ProtocolError, ProtocolErrorCode } from '../sdk.ts';
import type { Prompt } from '../sdk.ts';
import { applicationNames, elementNames, elementRefs, places, regions, windowIndexes } from './candidates.ts';
import { matching } from './match.ts';

/** Somebody is typing: what is not known by then is of no use. */
const DEADLINE_MS = 1500;
/** Less, so that a list which is short of one slow application is there in time. */
const CALL_DEADLINE_MS = 1200;

type Known = Readonly<Record<string, string>>;
/** Gives every value there is; what was typed is compared afterwards. */
type Source = (ask: Ask, known: Known, typed: string) => Promise<readonly string[]>;

const NONE: readonly string[] = [];

/** What can stand for an argument, by the name of that: prompts give the same thing the same name. */
const SOURCES: Readonly<Record<string, Source>> = {
  app_name: applicationNames,
  source_app: applicationNames,
  target_app: applicationNames,
  apps: applicationNames,
  focus_area: inApp('app_name', regions),
  destination: inApp('app_name', places),
  element_description: element('app_name'),
  query_tried: element('app_name'),
  source_element: element('source_app'),
  target_element: element('target_app'),
  output_format: async () => ['json', 'csv', 'markdown'],
};

/** Arguments that hold several values with commas between them; the last one is completed. */
const LISTS: ReadonlySet<string> = new Set(['apps']);

/** Completes arguments of prompts and of addresses from what is on the desktop. */
export function completeFor(
  calls: Pick<DeskCalls, 'answer' | 'look'>,
  prompts: readonly Pick<Prompt, 'name' | 'arguments'>[],
): McpConnection['complete'] {
  return async (request) => {
    const source = sourceOf(request, prompts);
    const { argument, known } = request;
    if (source === undefined) return NONE;
    const { signal, release } = limited(request.signal);
    // References must be the client's own; a list of names need not disturb its session.
    const via = argument.value.trimStart().startsWith('@') ? 'answer' : 'look';
    const ask: Ask = (command, input) =>
      calls[via](command, { ...input, timeout_ms: CALL_DEADLINE_MS }, { signal });
    const { before, last } = LISTS.has(argument.name)
      ? split(argument.value)
      : { before: [], last: argument.value };
    try {
      const values = await untilAborted(source(ask, known, last), signal);
      const taken = new Set(before.map((value) => value.toLowerCase()));
      const open = values.filter((value) => !taken.has(value.toLowerCase()));
      return matching(open, last).map((value) => [...before, value].join(', '));
    } catch (error) {
      // A slow or strange application gives no values, but no error either: typing goes on without.
      if (error instanceof DeskterityError || error instanceof ProtocolError || signal.aborted) return NONE;
      throw error;
    } finally {
      release();
    }
  };
}

/** `undefined` for an argument whose values nobody can list. @throws ProtocolError for what there is not */
function sourceOf(
  { of, argument }: CompletionRequest,
  prompts: readonly Pick<Prompt, 'name' | 'arguments'>[],
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
  return variable === 'name' ? applicationNames : inApp('name', windowIndexes);
}

function inApp(key: string, values: (ask: Ask, app: string) => Promise<readonly string[]>): Source {
  return async (ask, known) => {
    const app = Object.hasOwn(known, key) ? known[key] : undefined;
    return app === undefined || app === '' ? NONE : values(ask, app);
  };
}

function element(key: string): Source {
  return (ask, known, typed) =>
    inApp(key, typed.trimStart().startsWith('@') ? elementRefs : elementNames)(ask, known, typed);
}

/** The values that stand before the last one of a list, and what there is of the last. */
function split(typed: string): { readonly before: readonly string[]; readonly last: string } {
  const values = typed.split(',').map((value) => value.trim());
  return { before: values.slice(0, -1).filter((value) => value !== ''), last: values.at(-1) ?? '' };
}

function requireNamed<T>(what: string, given: string, all: readonly T[], nameOf: (one: T) => string): T {
  const found = all.find((one) => nameOf(one) === given);
  if (found !== undefined) return found;
  const names = all.map((one) => nameOf(one));
  const close = nearest(given, names);
  const hint = close === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${close}"?`;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no ${what} called ${JSON.stringify(given.slice(0, 80))}. ${hint}`,
  );
}

/** Also aborted when the time is up. Not `AbortSignal.any`: Node 20 may collect what that waits for as garbage. */
function limited(outer: AbortSignal): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, DEADLINE_MS);
  outer.addEventListener('abort', abort, { once: true });
  if (outer.aborted) abort();
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}

/** Rejects when the signal is aborted, whatever the work does then. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(new Error('The time is up.'));
    stop = () => signal.removeEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  // Its own failure, when nobody waits for it any more, is nobody's.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
  }
}
