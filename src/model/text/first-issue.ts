import { z } from 'zod';

const Listed = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }));

/** What is wrong where. */
export interface FirstIssue {
  /** Such as `content.0.text`; empty for the whole. */
  readonly path: string;
  readonly problem: string;
}

/** The first entry of a list of mistakes as a validator writes it into the message of an error; `undefined` for any other text. */
export function firstIssue(text: string): FirstIssue | undefined {
  try {
    const [issue] = Listed.parse(JSON.parse(text));
    // `Invalid input: expected string, received number`, of which the second half says something.
    return issue && { path: issue.path.join('.'), problem: /^[^:]+: ([^]+)$/.exec(issue.message)?.[1] ?? '' };
  } catch {
    return undefined;
  }
}
