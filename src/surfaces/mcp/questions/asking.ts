import { DeskterityError } from '../../../model/effects/errors.ts';
import type { InputRequiredResult, ServerContext } from '../sdk.ts';
import { abilitiesOf } from './abilities.ts';
import { askDuringCall, type DuringCallParts } from './ask-during-call.ts';
import { askWithNextCall } from './ask-with-next-call.ts';
import { QuestionsAsked } from './questions-asked.ts';
import type { ClientQuestions, Question, Questions } from './question.ts';
import type { RequestStates, StatedCall } from './request-states.ts';

export interface AskingCall
  extends Omit<StatedCall, 'method' | 'principal'>, Pick<DuringCallParts, 'context' | 'onPageDone'> {
  /** What the client has declared: when it connected, or with this request. */
  readonly capabilities: unknown;
  /** The revision that was agreed on in the legacy era. */
  readonly revision: string | undefined;
  /** Absent in the legacy era, where the client is asked during the call. */
  readonly states: RequestStates | undefined;
}

/** Runs a call that may ask its client. @throws ProtocolError -32602 for a request state that is not valid for this call */
export async function answering<R>(
  { context, capabilities, revision, onPageDone, states, name, input }: AskingCall,
  run: (client: ClientQuestions) => Promise<R>,
): Promise<R | InputRequiredResult> {
  const canAnswer = abilitiesOf(capabilities, revision);
  const { method } = context.mcpReq;
  const { ask, earlier } =
    states === undefined
      ? { ask: askDuringCall({ context, revision, onPageDone }), earlier: () => undefined }
      : askWithNextCall(context, states, { method, name, input, principal: principalOf(context) });
  try {
    return await run({
      canAnswer,
      ask: async (questions) => {
        requireAbilities(questions, canAnswer);
        return ask(questions);
      },
      earlier,
    });
  } catch (error) {
    if (error instanceof QuestionsAsked) return error.result;
    throw error;
  }
}

/** Who called over authenticated HTTP. Not the token, which may be renewed before the answer. */
function principalOf({ http }: ServerContext): string | undefined {
  const { clientId, extra } = http?.authInfo ?? {};
  return clientId === undefined
    ? undefined
    : JSON.stringify([clientId, extra?.['sub'] ?? null, extra?.['owner'] ?? null]);
}

const DECLARATIONS: Readonly<Record<Question['kind'], string>> = {
  form: 'elicitation.form',
  url: 'elicitation.url',
  sampling: 'sampling',
  roots: 'roots',
};

function requireAbilities(questions: Questions, canAnswer: ClientQuestions['canAnswer']): void {
  for (const question of Object.values(questions)) {
    const wantsTools = question.kind === 'sampling' && question.params.tools !== undefined;
    if (canAnswer(wantsTools ? 'sampling-with-tools' : question.kind)) continue;
    const capability = wantsTools ? 'sampling.tools' : DECLARATIONS[question.kind];
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `The client must be asked, but it has not declared the capability ${capability}, or its protocol revision has no such questions.`,
      { suggestion: `Use a client that declares ${capability}, or call in a way that needs no question.` },
    );
  }
}
