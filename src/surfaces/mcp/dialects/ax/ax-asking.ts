import type { AskedFor } from '../../../../model/configuration/config.ts';
import { parseRef } from '../../../../model/refs/ref.ts';
import type { ClientQuestions } from '../../questions/question.ts';
import { runWithQuestions } from '../../questions/run-with-questions.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a call of a tool may ask its client. */
export interface AxAsking {
  readonly client: ClientQuestions;
  readonly asksFor: AskedFor;
  /** Called before the client is asked. */
  readonly onAsk: () => void;
}

/**
 * Runs a tool, and asks the client which application or element it means where that is not clear, as for our own tools: only while nothing has
 * acted, and then the whole tool runs again. A `query` is what our commands call `ref`.
 * @throws DeskterityError, QuestionsAsked
 */
export function runAsking<A>(
  asking: AxAsking,
  tool: { readonly name: string; readonly input: Input; readonly runsOthers: boolean },
  run: (input: Input) => Promise<A>,
): Promise<A> {
  const { query, ...rest } = tool.input;
  const isLocator = typeof query === 'string' && parseRef(query.trim()) === undefined;
  return runWithQuestions({
    ...asking,
    command: tool.name,
    input: isLocator ? { ...rest, ref: query } : tool.input,
    runsOthers: tool.runsOthers,
    run: (asked) => {
      if (!isLocator) return run(asked);
      const { ref, ...others } = asked;
      return run({ ...others, query: ref });
    },
    outputOf: () => undefined,
  });
}
