import { DeskterityError, type ErrorCode } from '../../../model/effects/errors.ts';
import type { AskedFor } from '../../../model/configuration/config.ts';
import { ambiguousApp } from './cases/ambiguous-app.ts';
import type { Case, CaseOf, Input } from './cases/case.ts';
import { missingElement } from './cases/missing-element.ts';
import { permissionCase } from './cases/permissions.ts';
import type { ClientQuestions } from './question.ts';

export interface AskingRun<A> {
  readonly command: string;
  readonly input: Input;
  /** A command that runs others may have acted before one of them failed. */
  readonly runsOthers: boolean;
  readonly client: ClientQuestions;
  readonly asksFor: AskedFor;
  readonly run: (input: Input) => Promise<A>;
  /** The answer's data. */
  readonly outputOf: (answer: A) => unknown;
  /** Called before the client is asked. */
  readonly onAsk: () => void;
}

/** Failures that the client is asked about. What it is not asked about, the model reads with the candidates and repeats. */
const NEEDED: ReadonlyMap<ErrorCode, CaseOf> = new Map([['AMBIGUOUS_APP', ambiguousApp]]);
const ALL: ReadonlyMap<ErrorCode, CaseOf> = new Map([...NEEDED, ['ELEMENT_NOT_FOUND', missingElement]]);

/**
 * Runs a command. If nothing has acted and the client can resolve what came of it, asks the client, and runs the command again with
 * what it chose. Otherwise, or if it does not choose, the answer or failure is the command's own.
 * @throws DeskterityError, QuestionsAsked
 */
export async function runWithQuestions<A>(call: AskingRun<A>): Promise<A> {
  const { client, asksFor, run, runsOthers } = call;
  if (asksFor === 'never' || runsOthers || !client.canAnswer('form')) return run(call.input);
  const asked = new Set<string>();
  let { input } = call;
  for (;;) {
    const outcome = await outcomeOf(run(input));
    const found = caseOf(outcome, input, call);
    // Each once: what was chosen may be gone by now, and the failure then says so.
    const isNew = found !== undefined && !asked.has(found.name);
    if (isNew) asked.add(found.name);
    const choice = isNew ? await choose(found, call) : undefined;
    if (choice?.input !== undefined) ({ input } = choice);
    else return settled(outcome, choice?.why);
  }
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

function caseOf<A>(outcome: Outcome<A>, input: Input, call: AskingRun<A>): Case | undefined {
  if ('answer' in outcome)
    return call.command === 'permissions' ? permissionCase(call.outputOf(outcome.answer), input) : undefined;
  const { code, delivered, result } = outcome.failure;
  // With a receipt, or after something was sent, the call has acted.
  if (delivered === true || result !== undefined) return undefined;
  return (call.asksFor === 'always' ? ALL : NEEDED).get(code)?.(outcome.failure, input);
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

/** The input that the client chose, or why it chose none. @throws DeskterityError CANCELLED, QuestionsAsked */
async function choose<A>(
  { name, question, change }: Case,
  { client, onAsk }: AskingRun<A>,
): Promise<{ readonly input?: Input | undefined; readonly why?: string }> {
  onAsk();
  try {
    const { [name]: given = NOT_GIVEN } = await client.ask({ [name]: question });
    if (given.action !== 'accept') return { why: NOT_CHOSEN[given.action] };
    return { input: change(given.content), why: 'The client was asked, and chose none.' };
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
    return { why: error.message };
  }
}

const NOT_GIVEN = { action: 'cancel' } as const;
