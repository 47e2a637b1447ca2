import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { ServerAnswer } from '../../model/tools/server-answer.ts';
import type { ServerCallOptions } from '../../ports/upstream/servers.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { ReadResult } from './read-result.ts';

const LONGEST_FAILURE = 4000;

export interface AnsweredCall {
  readonly owner: string;
  readonly server: string;
  readonly tool: string;
}

/** The answer for a result: its first part, and what is not in it. @throws DeskterityError ACTION_FAILED if the tool reports a failure */
export function serverAnswerOf(
  result: ReadResult,
  { owner, server, tool }: AnsweredCall,
  { kept, options }: { readonly kept: KeptAnswers; readonly options: ServerCallOptions },
): ServerAnswer {
  const { onPicture, mostCharacters } = options;
  const { structured, pictures } = result;
  const data = structured === undefined ? '' : JSON.stringify(structured, undefined, 1);
  const text = result.text === '' ? data : result.text;
  if (result.isError) throw toolFailure(server, tool, text);
  for (const picture of pictures) onPicture?.(picture);
  const shown = kept.first({ owner, server, tool, text }, mostCharacters);
  const hasStructured = structured !== undefined && data.length <= mostCharacters;
  const leftOut = [
    ...(shown.left_out ?? []),
    ...result.leftOut,
    ...(onPicture === undefined && pictures.length > 0
      ? [`${pictures.length} pictures, which this surface cannot show`]
      : []),
    ...(structured !== undefined && !hasStructured && result.text !== ''
      ? [`structured content of ${data.length} characters`]
      : []),
  ];
  return {
    server,
    tool,
    ...shown,
    ...(hasStructured ? { structured } : {}),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
  };
}

/** A failure that the tool itself reports. */
function toolFailure(server: string, tool: string, text: string): DeskterityError {
  const shown = clip(text, LONGEST_FAILURE);
  return new DeskterityError(
    'ACTION_FAILED',
    `${tool} of the MCP server ${server} reports a failure: ${quoteClipped(text, 500)}.`,
    {
      suggestion: `Change the input as it says; ${mentionCommand('tools list', { name: tool })} shows the parameters.`,
      result: { server, tool, output: shown },
      report: shown,
    },
  );
}
