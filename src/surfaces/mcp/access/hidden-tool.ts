import type { ToolFacts } from '../../../app/tool-facts.ts';
import { changedError } from '../../../model/effects/changed-error.ts';
import { isPossible, type Policy, type PolicyRequest } from '../../../model/policy/verdict.ts';
import type { Speller } from '../../../model/text/mention.ts';
import type { McpTool } from '../connections/connection.ts';
import type { ClientCalls } from '../tools/client-calls.ts';
import { reportedCall } from '../tools/reported-call.ts';
import { answerResult, failureResult } from '../tools/tool-result.ts';
import type { ClientPolicy } from './client-policy.ts';

/** What the policy is asked about a tool that runs these commands. */
export function asksOf(commands: readonly Pick<ToolFacts, 'asks'>[]): readonly PolicyRequest[] {
  return commands.flatMap(({ asks }) => asks ?? []);
}

/** Whether the policy lets a client use a tool. */
export function isShown({ asks = [] }: Pick<McpTool, 'asks'>, policy: Pick<Policy, 'decide'>): boolean {
  return asks.every((request) => isPossible(policy, request));
}

export interface HiddenToolParts {
  readonly policy: ClientPolicy;
  readonly calls: Pick<ClientCalls, 'answer' | 'session'>;
  readonly speller: Speller;
  readonly isTextOnly: boolean;
}

/** A tool that the policy hides: a call is refused like that of any command, and recorded, unless the policy has changed meanwhile. */
export function hiddenTool(tool: McpTool, parts: HiddenToolParts): McpTool {
  const { policy, calls, speller, isTextOnly } = parts;
  const { name, title = name } = tool.definition;
  return {
    ...tool,
    taskSupport: undefined,
    runsOperation: false,
    call: async (input, channel) => {
      await policy.refresh();
      const denied = tool.asks?.find((request) => !isPossible(policy, request))?.command;
      if (denied === undefined) return tool.call(input, channel);
      return reportedCall({
        channel,
        title,
        deadlineMs: undefined,
        report: { tool: name, session: calls.session },
        run: async () => {
          const { signal } = channel;
          return answerResult(await calls.answer(denied, {}, { signal, isHidden: true }), { isTextOnly });
        },
        failed: (error) => failureResult(changedError(error, speller), { isTextOnly }),
      });
    },
  };
}
