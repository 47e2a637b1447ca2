import { mentionCommand } from '../../../model/text/mention.ts';

/** Why confining is not possible here, in words. What crosses a thread is plain data; {@link ./create-processes.ts} makes the error of it. */
export interface Problem {
  readonly message: string;
  readonly suggestion: string;
  /** Such as `landlock_restrict_self: EPERM`. */
  readonly detail?: string | undefined;
}

/** A {@link Problem} on its way up. Without zod, so that workers stay small. */
export class SandboxProblem extends Error implements Problem {
  override readonly name = 'SandboxProblem';
  readonly suggestion: string;
  readonly detail: string | undefined;

  constructor({ message, suggestion, detail }: Problem, options?: ErrorOptions) {
    super(message, options);
    this.suggestion = suggestion;
    this.detail = detail;
  }
}

/** The problem in anything that was thrown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SandboxProblem)
    return { message: error.message, suggestion: error.suggestion, detail: error.detail };
  return {
    message: 'The sandbox could not be set up.',
    suggestion: `Run ${mentionCommand('doctor')} to see what this machine can do.`,
    detail: error instanceof Error ? error.message : String(error),
  };
}
