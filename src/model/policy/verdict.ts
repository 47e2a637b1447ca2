import type { DeskterityError } from '../effects/errors.ts';

/** The decision about one request, with the rule that made it. `confirm` needs the consent of a person. */
export interface Verdict {
  readonly decision: 'allow' | 'confirm' | 'deny';
  /** Such as `applications.denied "Bank*"`. */
  readonly rule: string;
  /** One sentence. */
  readonly why: string;
}

/** What is known about an application. What only the application says can deny it, but never allow it. */
export interface ApplicationFacts {
  /** As the application says. */
  readonly name?: string | undefined;
  /** File name that it may have been launched by. */
  readonly program?: string | undefined;
  /** Absolute path of the running program, as the kernel reports it. */
  readonly executable?: string | undefined;
  /** Ids under which an administrator installed that file as an application, such as `org.gnome.TextEditor`. */
  readonly desktopIds?: readonly string[] | undefined;
  readonly pid?: number | undefined;
}

/** What somebody wants to do. Absent parts are not part of the request. */
export interface PolicyRequest {
  /** Name of the command, such as `clipboard set`. */
  readonly command?: string | undefined;
  /** Whether the command changes nothing. */
  readonly isReadOnly?: boolean | undefined;
  readonly application?: ApplicationFacts | undefined;
  /** Name of a tool of a tool file or of another server. */
  readonly tool?: string | undefined;
}

export const SECURITY_MODES = ['normal', 'sandboxed'] as const;
export type SecurityMode = (typeof SECURITY_MODES)[number];

/** The rules that count for one call. */
export interface Policy {
  readonly mode: SecurityMode;
  /** Why the rules cannot be read; until they can, nothing with an effect is allowed. */
  readonly problem?: DeskterityError | undefined;
  /** The lists behind the verdicts. */
  readonly lists: readonly PolicyList[];
  decide(request: PolicyRequest): Verdict;
}

/** Whether a request is possible at all, perhaps with the consent of a person. What asks nothing always is. */
export function isPossible(policy: Pick<Policy, 'decide'>, request: PolicyRequest | undefined): boolean {
  return request === undefined || policy.decide(request).decision !== 'deny';
}

/** Variables with which a client can tighten the policy. */
export const MODE_VARIABLE = 'DESKTERITY_SECURITY_MODE';

/** What confines a client to reading. */
export const READING_ONLY: Readonly<Record<string, string>> = {
  [MODE_VARIABLE]: 'sandboxed' satisfies SecurityMode,
};

/** One list of patterns, as people see it. */
export interface PolicyList {
  /** Such as `applications.denied`. */
  readonly name: string;
  /** Where it comes from: `built in`, a path, or a variable. */
  readonly source: string;
  readonly patterns: readonly string[];
}
