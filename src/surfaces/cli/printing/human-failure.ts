import { reveal } from '../../../model/text/untrusted-text.ts';

/** A failure as it is shown to a person. */
interface Told {
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
  readonly detail?: string | undefined;
}

/** A failure for a person: what happened, the reason, and the next step on a line of its own. Nothing in it can control the terminal. */
export function humanFailure(
  { code, message, detail, suggestion }: Told,
  style: { readonly colour: boolean; readonly ascii: boolean },
): string {
  const paint = (text: string, code: number) => (style.colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  const [cross, arrow] = style.ascii ? ['x', '->'] : ['✗', '→'];
  const lines = [
    `${paint(`${cross} ${code}`, 31)} ${reveal(message)}`,
    ...(detail === undefined ? [] : [`  ${paint(reveal(detail), 2)}`]),
    `  ${paint(arrow, 2)} ${reveal(suggestion)}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
