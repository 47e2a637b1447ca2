import type { Answer } from '../../../app/app.ts';
import { failureLines } from '../../../app/render.ts';
import type { DeskterityError } from '../../../model/effects/errors.ts';
import { stringifyVisibly } from '../../../model/text/untrusted-text.ts';
import { briefText } from './brief-text.ts';
import { markApplicationText } from './application-text.ts';
import type { CallToolResult, ContentBlock } from '../sdk.ts';

export interface ResultForm {
  /** No structured content: the text has everything. */
  readonly isTextOnly: boolean;
}

/** An answer as text and pictures, or as data with a short text beside it. */
export function answerResult(answer: Answer, { isTextOnly }: ResultForm): CallToolResult {
  const { output, outline, quoted, finished, pictures, isFromDesktop } = answer;
  const text = isTextOnly ? outline.trimEnd() : briefText(outline.trimEnd());
  const body = isFromDesktop ? markApplicationText(text) : text;
  const more = isTextOnly
    ? [cursorOf(answer), quoted === '' ? '' : markApplicationText(quoted), finished]
    : [];
  const content: ContentBlock[] = [
    { type: 'text', text: [body, ...more].filter((part) => part !== '').join('\n') },
    ...pictures.map(({ mimeType, bytes }): ContentBlock => ({
      type: 'image',
      mimeType,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    })),
  ];
  return isTextOnly ? { content } : { content, structuredContent: output };
}

/** The cursor for `since`, for models that read only the text; empty for answers without a snapshot. */
function cursorOf({ output, outline }: Answer): string {
  const { cursor } = output;
  const hasSnapshot = 'tree' in output || 'effect' in output;
  return typeof cursor === 'string' && hasSnapshot && !outline.includes(`\ncursor ${cursor}`)
    ? `cursor ${cursor}`
    : '';
}

/** A failure that the model can read and act on; with the receipt where something was done. */
export function failureResult(error: DeskterityError, { isTextOnly }: ResultForm): CallToolResult {
  const { head, quoted, suggestion } = failureLines(error);
  // Without structured content, the result must be in the text.
  const body =
    isTextOnly && error.result !== undefined
      ? [...quoted, error.report ?? stringifyVisibly(error.result)]
      : quoted;
  const text = [
    // Text from applications is in double quotes.
    head.includes('"') ? markApplicationText(head) : head,
    ...(body.length === 0 ? [] : [markApplicationText(body.join('\n'))]),
    suggestion,
  ].join('\n');
  return {
    isError: true,
    content: [{ type: 'text', text }],
    ...(isTextOnly
      ? {}
      : {
          structuredContent: {
            ...error.result,
            error: error.toBody(),
          },
        }),
  };
}
