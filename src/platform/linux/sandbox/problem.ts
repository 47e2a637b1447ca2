import { mentionCommand } from '../../../model/text/mention.ts';

/** Why confining is not possible. Plain data, as it crosses threads; `create-processes.ts` turns it into an error. */
export interface Problem {
  readonly message: string;
  readonly suggestion: string;
  /** Such as `landlock_restrict_self: EPERM`. */
  readonly detail?: string | undefined;
  /** Something else is at a place that was checked: another sandbox would not help. */
  readonly isReplaced?: boolean | undefined;
}

/** A {@link Problem} as an error. Independent of zod, so that workers stay small. */
export class SandboxProblem extends Error implements Problem {
  override readonly name = 'SandboxProblem';
  readonly suggestion: string;
  readonly detail: string | undefined;
  readonly isReplaced: boolean;

  constructor({ message, suggestion, detail, isReplaced = false }: Problem, options?: ErrorOptions) {
    super(message, options);
    this.isReplaced = isReplaced;
    this.suggestion = suggestion;
    this.detail = detail;
  }
}

/** The problem described by anything thrown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SandboxProblem)
    return {
      message: error.message,
      suggestion: error.suggestion,
      detail: error.detail,
      isReplaced: error.isReplaced,
    };
  return {
    message: 'The sandbox could not be set up.',
    suggestion: `Run ${mentionCommand('doctor')} to see what this machine supports.`,
    detail: error instanceof Error ? error.message : String(error),
  };
}
