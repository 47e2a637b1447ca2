import { DeskterityError } from '../../../model/effects/errors.ts';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import type { ClientQuestions } from '../questions/question.ts';
import type { CreateMessageRequestParams, CreateMessageResultWithTools } from '../sdk.ts';
import type { Scene } from './scene.ts';
import { MODEL_TOOLS, type ToolOutcome } from './model-tools.ts';
import { instruction, systemPrompt, type Wanted } from './wording.ts';

/** Rounds of tools; then the model must answer. */
const MOST_ROUNDS = 4;
/** Tools that the model may use in one round. */
const MOST_TOOLS = 4;
const LONGEST_MODEL = 100;

const TOKENS = { describe: 1000, plan: 500, tools: 2000 } as const;
const PREFERENCES = { intelligencePriority: 0.8, costPriority: 0.3, speedPriority: 0.5 } as const;

export interface Said {
  readonly text: string;
  /** Name of the model, as the client gives it. */
  readonly model: string;
}

/**
 * What the model is asked, round by round. A call of the modern era runs again with each answer, and must then ask the same: pictures and
 * elements as they were, not as they are now.
 */
export class Conversation {
  private readonly rounds: CreateMessageRequestParams[];

  constructor(scene: Scene, wanted: Wanted, hasTools: boolean) {
    const maxTokens = hasTools ? TOKENS.tools : wanted.goal === undefined ? TOKENS.describe : TOKENS.plan;
    this.rounds = [
      {
        // One block in each message: several are new in 2025-11-25.
        messages: [
          { role: 'user', content: { type: 'image', ...scene.picture } },
          { role: 'user', content: { type: 'text', text: instruction(wanted, scene.elements) } },
        ],
        systemPrompt: systemPrompt(wanted),
        maxTokens,
        modelPreferences: PREFERENCES,
        ...(hasTools ? { tools: MODEL_TOOLS, toolChoice: { mode: 'auto' } } : {}),
      },
    ];
  }

  /** @throws DeskterityError */
  async hold(
    client: ClientQuestions,
    runTool: (use: { readonly name: string; readonly input: unknown }) => Promise<ToolOutcome>,
  ): Promise<Said> {
    for (let round = 0; ; round += 1) {
      const params = this.rounds[round];
      if (params === undefined) throw new Error('a round without a question');
      const name = `look_${round}`;
      const { [name]: answer } = await client.ask({ [name]: { kind: 'sampling' as const, params } });
      if (answer === undefined) throw new Error('a question without an answer');
      const uses = blocksOf(answer).filter((block) => block.type === 'tool_use');
      if (uses.length === 0 || round >= MOST_ROUNDS) return said(answer);
      this.rounds[round + 1] ??= await nextRound(params, answer, {
        isLast: round + 1 >= MOST_ROUNDS,
        run: (use, at) => (at < MOST_TOOLS ? runTool(use) : Promise.resolve(TOO_MANY)),
      });
    }
  }
}

const TOO_MANY: ToolOutcome = { text: `At most ${MOST_TOOLS} tools run at once.`, isError: true };

async function nextRound(
  before: CreateMessageRequestParams,
  answer: CreateMessageResultWithTools,
  tools: {
    readonly isLast: boolean;
    readonly run: (use: { name: string; input: unknown }, at: number) => Promise<ToolOutcome>;
  },
): Promise<CreateMessageRequestParams> {
  const uses = blocksOf(answer).filter((block) => block.type === 'tool_use');
  const results = [];
  for (const [at, { id, name, input }] of uses.entries()) {
    const { text, isError } = await tools.run({ name, input }, at);
    results.push({
      type: 'tool_result' as const,
      toolUseId: id,
      content: [{ type: 'text' as const, text }],
      isError,
    });
  }
  return {
    ...before,
    messages: [
      ...before.messages,
      { role: 'assistant', content: answer.content },
      { role: 'user', content: results },
    ],
    ...(tools.isLast ? { toolChoice: { mode: 'none' } } : {}),
  };
}

function blocksOf({ content }: CreateMessageResultWithTools) {
  return Array.isArray(content) ? content : [content];
}

function said(answer: CreateMessageResultWithTools): Said {
  const text = blocksOf(answer)
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
  if (text !== '') return { text, model: reveal(clip(answer.model, LONGEST_MODEL)) };
  throw new DeskterityError('ACTION_FAILED', "The client's model answered without text.", {
    suggestion: 'Call again, or look at a screenshot yourself.',
  });
}
