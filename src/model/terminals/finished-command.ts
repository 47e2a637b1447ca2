import { z } from 'zod';
import { clip, reveal } from '../text/untrusted-text.ts';

/** A command that was left running in a terminal, and ended while its session was doing something else. */
export const FinishedCommand = z.object({
  terminal: z.string().describe('Id of the terminal.'),
  tag: z.string(),
  project_path: z.string(),
  command: z.string().describe('What is long is cut and ends in ….'),
  exit_code: z.int().optional(),
});
export type FinishedCommand = z.output<typeof FinishedCommand>;

const LONGEST_COMMAND = 200;
/** Of one that is told in a line. */
const LONGEST_SHOWN = 60;

/** @param command as it was given */
export function shownAsFinished(command: string): string {
  return clip(command, LONGEST_COMMAND);
}

/** Such as `terminal build: npm test, exit code 0`. */
export function outlineFinished({ tag, command, exit_code: code }: FinishedCommand): string {
  const how = code === undefined ? 'ended' : `exit code ${code}`;
  return `terminal ${reveal(tag)}: ${reveal(clip(command, LONGEST_SHOWN))}, ${how}`;
}
