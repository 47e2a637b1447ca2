import type { Answer } from '../../../app/app.ts';
import { failureLines } from '../../../app/render.ts';
import type { DeskterityError } from '../../../model/effects/errors.ts';
import { stringifyVisibly } from '../../../model/text/untrusted-text.ts';
import { markApplicationText } from './application-text.ts';
import type { CallToolResult, ContentBlock } from '../sdk.ts';

export interface ResultForm {
  /** No structured content. */
  readonly isTextOnly: boolean;
}

/** An answer as text, pictures and data. */
export function answerResult(answer: Answer, { isTextOnly }: ResultForm): CallToolResult {
  const { output, outline, quoted, news, pictures, isFromDesktop } = answer;
  const text = outline.trimEnd();
  const told = isFromDesktop ? `${markApplicationText(text)}${cursorOf(answer)}` : text;
  const content: ContentBlock[] = [
    {
      type: 'text',
      text: [told, quoted === '' ? '' : markApplicationText(quoted), news]
        .filter((part) => part !== '')
        .join('\n'),
    },
    ...pictures.map(({ mimeType, bytes }): ContentBlock => ({
      type: 'image',
      mimeType,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    })),
  ];
  return isTextOnly ? { content } : { content, structuredContent: output };
}

/** For whoever reads only the text: what `since` takes. Answers without a reading to come back to have none. */
function cursorOf({ output, outline }: Answer): string {
  const { cursor } = output;
  const isReading = 'tree' in output || 'effect' in output;
  return typeof cursor === 'string' && isReading && !outline.includes(`\ncursor ${cursor}`)
    ? `\ncursor ${cursor}`
    : '';
}

/** A failure that the model can read and act on; with the receipt where something was done. */
export function failureResult(error: DeskterityError, { isTextOnly }: ResultForm): CallToolResult {
  const { head, quoted, suggestion } = failureLines(error);
  // Where there is no structured content, what was done stands in the text.
  const told =
    isTextOnly && error.result !== undefined ? [...quoted, stringifyVisibly(error.result)] : quoted;
  const text = [
    // Names of elements, windows and applications are in double quotes.
    head.includes('"') ? markApplicationText(head) : head,
    ...(told.length === 0 ? [] : [markApplicationText(told.join('\n'))]),
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
