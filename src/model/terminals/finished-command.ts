import { z } from 'zod';
import { clip, reveal } from '../text/untrusted-text.ts';

/** A background command of a terminal that ended while its session was doing something else. */
export const FinishedCommand = z.object({
  terminal: z.string().describe('Id of the terminal.'),
  tag: z.string(),
  project_path: z.string(),
  command: z.string().describe('Long commands are cut and end with ….'),
  exit_code: z.int().optional(),
});
export type FinishedCommand = z.output<typeof FinishedCommand>;

const LONGEST_COMMAND = 200;
/** For a command in one line. */
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
