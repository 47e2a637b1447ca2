import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import type { ToolFileProblem } from '../../model/tools/tool-file-problem.ts';

/** Problems in one message. */
const MOST_SHOWN = 3;

/** `git.json, line 3, column 5 (/subcommand/0/name): …` */
export function describeProblem({ file, line, column, pointer, message }: ToolFileProblem): string {
  const where = pointer === '' ? '' : ` (${reveal(pointer)})`;
  return `${reveal(file)}, line ${line}, column ${column}${where}: ${message}`;
}

/** `TOOL_INVALID` for the problems of a file; there is at least one. */
export function toolInvalid(problems: readonly ToolFileProblem[]): DeskterityError {
  const [first] = problems;
  const shown = problems.slice(0, MOST_SHOWN).map((problem) => describeProblem(problem));
  const more = problems.length - shown.length;
  return new DeskterityError(
    'TOOL_INVALID',
    `${shown.join('; ')}${more > 0 ? `; and ${more} more ${more === 1 ? 'problem' : 'problems'}` : ''}.`,
    { suggestion: first?.suggestion ?? `Run ${mentionCommand('tools validate')} to see what is wrong.` },
  );
}

/** A JSON Pointer (RFC 6901). */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
