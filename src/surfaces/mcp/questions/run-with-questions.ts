import { DeskterityError, type ErrorCode } from '../../../model/effects/errors.ts';
import type { AskedFor } from '../../../model/configuration/config.ts';
import { AMBIGUOUS_APP } from './cases/ambiguous-app.ts';
import type { Case, Input } from './cases/case.ts';
import { CONFIRMATION } from './cases/confirmation.ts';
import { MISSING_ELEMENT } from './cases/missing-element.ts';
import { PERMISSION } from './cases/permissions.ts';
import { SIGN_IN } from './cases/sign-in.ts';
import type { ClientQuestions, FormAnswer, FormQuestion, UrlQuestion } from './question.ts';

export interface AskingRun<A> {
  readonly command: string;
  readonly input: Input;
  /** A command that runs others may have acted before one of them failed. */
  readonly runsOthers: boolean;
  readonly client: ClientQuestions;
  readonly asksFor: AskedFor;
  /** `consent`: to the act that was refused without it. */
  readonly run: (input: Input, consent?: string) => Promise<A>;
  /** The answer's data. */
  readonly outputOf: (answer: A) => unknown;
  /** Called before the client is asked. */
  readonly onAsk: () => void;
}

/** Failures that the client is asked about. What it is not asked about, the model reads with the candidates and repeats. */
const NEEDED: ReadonlyMap<ErrorCode, Case<DeskterityError>> = new Map([
  ['AMBIGUOUS_APP', AMBIGUOUS_APP],
  ['UNAUTHORIZED', SIGN_IN],
  ['CONFIRMATION_REQUIRED', CONFIRMATION],
]);
const ALL: typeof NEEDED = new Map([...NEEDED, ['ELEMENT_NOT_FOUND', MISSING_ELEMENT]]);

/** In one call. */
const MOST_QUESTIONS = 5;

/** A case with the question that it is now. */
interface Occurrence {
  readonly name: string;
  readonly question: FormQuestion | UrlQuestion;
  readonly change: Case<never>['change'];
  /** See {@link DeskterityError.consent}. */
  readonly consent: string | undefined;
}

/**
 * Runs a command. If nothing has acted and the client can resolve what came of it, asks the client, and runs the command again with
 * what it chose. Otherwise, or if it does not choose, the answer or failure is the command's own.
 * @throws DeskterityError, QuestionsAsked
 */
export async function runWithQuestions<A>(call: AskingRun<A>): Promise<A> {
  const { client, asksFor, run, runsOthers } = call;
  const canAnswer = client.canAnswer('form') || client.canAnswer('url');
  if (asksFor === 'never' || runsOthers || !canAnswer) return run(call.input);
  const asked = new Set<string>();
  let input = chosenBefore(call, asked);
  let why: string | undefined;
  let consent: string | undefined;
  for (;;) {
    const outcome = await outcomeOf(run(input, consent));
    const found = occurrenceIn(outcome, input, call);
    // Each once: what was chosen may be gone by now, and the failure then says so.
    // Consent to one thing is none to another.
    const key = found === undefined ? '' : `${found.name} ${found.consent ?? ''}`;
    const isNew =
      found !== undefined &&
      client.canAnswer(found.question.kind) &&
      !asked.has(key) &&
      asked.size < MOST_QUESTIONS;
    if (isNew) asked.add(key);
    const choice = isNew ? await choose(found, input, call) : undefined;
    if (isNew) why = choice?.why;
    if (choice?.input === undefined) return settled(outcome, why);
    ({ input } = choice);
    consent = found?.consent;
  }
}

/** The input with what the client chose when this call was asked: what failed then need not fail again. */
function chosenBefore<A>({ client, command, asksFor, input }: AskingRun<A>, asked: Set<string>): Input {
  let chosen = input;
  const cases = command === 'permissions' ? [PERMISSION] : casesOf(asksFor).values();
  for (const { name, change, isForOneAct } of cases) {
    if (change === undefined || isForOneAct === true) continue;
    const given = earlierForm(client, name);
    const changed = given?.action === 'accept' ? change(given.content, chosen) : undefined;
    if (changed === undefined) continue;
    asked.add(`${name} `);
    chosen = changed;
  }
  return chosen;
}

/** One that does not fit is reported when the question comes up again. */
function earlierForm(client: ClientQuestions, name: string): FormAnswer | undefined {
  try {
    return client.earlier(name, 'form');
  } catch (error) {
    if (error instanceof DeskterityError) return undefined;
    throw error;
  }
}

function casesOf(asksFor: AskedFor): typeof NEEDED {
  return asksFor === 'always' ? ALL : NEEDED;
}

type Outcome<A> = { readonly answer: A } | { readonly failure: DeskterityError };

async function outcomeOf<A>(running: Promise<A>): Promise<Outcome<A>> {
  try {
    return { answer: await running };
  } catch (error) {
    if (error instanceof DeskterityError) return { failure: error };
    throw error;
  }
}

function occurrenceIn<A>(outcome: Outcome<A>, input: Input, call: AskingRun<A>): Occurrence | undefined {
  if ('answer' in outcome)
    return call.command === 'permissions'
      ? occurrence(PERMISSION, call.outputOf(outcome.answer), input)
      : undefined;
  const { code, delivered, result } = outcome.failure;
  // With a receipt, or after something was sent, the call has acted.
  if (delivered === true || result !== undefined) return undefined;
  const found = casesOf(call.asksFor).get(code);
  const asked = found && occurrence(found, outcome.failure, input);
  return asked && { ...asked, consent: outcome.failure.consent };
}

function occurrence<F>({ name, question, change }: Case<F>, found: F, input: Input): Occurrence | undefined {
  const asked = question(found, input);
  return asked && { name, question: asked, change, consent: undefined };
}

/** @throws DeskterityError the failure, with why the client did not resolve it */
function settled<A>(outcome: Outcome<A>, why: string | undefined): A {
  if ('answer' in outcome) return outcome.answer;
  const { failure } = outcome;
  throw why === undefined ? failure : failure.with({ message: `${failure.message} ${why}` });
}

const NOT_CHOSEN = {
  decline: 'The client was asked, and declined to answer.',
  cancel: 'The client was asked, and cancelled the question.',
} as const;
const NOT_GIVEN = { action: 'cancel' } as const;
/** Accepting means that a person agreed to open the page, not that anything was done there. */
const SHOWN = 'The client was asked to show the page. Call again when somebody has signed in.';

/** The input that the client chose, or why it chose none. @throws DeskterityError CANCELLED, QuestionsAsked */
async function choose<A>(
  { name, question, change }: Occurrence,
  input: Input,
  { client, onAsk }: AskingRun<A>,
): Promise<{ readonly input?: Input | undefined; readonly why?: string | undefined }> {
  onAsk();
  try {
    const { [name]: given = NOT_GIVEN } = await client.ask({ [name]: question });
    if (given.action !== 'accept') return { why: NOT_CHOSEN[given.action] };
    if (change === undefined || !('content' in given)) return { input, why: SHOWN };
    const changed = change(given.content, input);
    return {
      input: changed,
      why: changed === undefined ? 'The client was asked, and chose none.' : undefined,
    };
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
    return { why: error.message };
  }
}
