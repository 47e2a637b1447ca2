import type { DeskterityError } from '../effects/errors.ts';
import type { Role } from '../tree/role.ts';

export const DECISIONS = ['allow', 'confirm', 'deny'] as const;
export type Decision = (typeof DECISIONS)[number];

/** The decision about one request, with the rule that made it. `confirm` needs the consent of a person. */
export interface Verdict {
  readonly decision: Decision;
  /** Such as `applications.denied "Bank*"` or `rule 3`. */
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
  /** Whether only an administrator can change that file, so that its name says something. */
  readonly isInstalled?: boolean | undefined;
  /** Ids under which an administrator installed that file as an application, such as `org.gnome.TextEditor`. */
  readonly desktopIds?: readonly string[] | undefined;
  /** Whatever else it may be known by: its script, its package, the class of its window. */
  readonly otherNames?: readonly string[] | undefined;
  /** What it is, whatever it is called: the program in which a caller of Deskterity runs, or a window in which Deskterity itself asks. */
  readonly relation?: 'host' | 'own' | undefined;
  readonly pid?: number | undefined;
}

/** An element that is acted on, as its application describes it. */
export interface ElementFacts {
  readonly role: Role;
  readonly name: string;
  readonly description?: string | undefined;
  /** Title of its window. */
  readonly window?: string | undefined;
}

/** What a command reaches, and so by what it is judged further. */
export type Reach = 'applications' | 'terminals' | 'tools' | 'other';

/** What somebody wants to do. Absent parts are not part of the request. */
export interface PolicyRequest {
  /** Name of the command, such as `clipboard set`. */
  readonly command?: string | undefined;
  /** Whether the command changes nothing. */
  readonly isReadOnly?: boolean | undefined;
  /** Whether it only reports on Deskterity itself. */
  readonly isOwnReport?: boolean | undefined;
  /** Default: `other`. */
  readonly reach?: Reach | undefined;
  readonly application?: ApplicationFacts | undefined;
  readonly element?: ElementFacts | undefined;
  /** Absolute path of the folder that a terminal belongs to. */
  readonly terminalProject?: string | undefined;
  /** Name of a tool of a tool file or of another server. */
  readonly tool?: string | undefined;
  /** Name of another MCP server, asked alone: denied if all tools that it can have are. */
  readonly server?: string | undefined;
  /** The act is over, and its result is read now. The mode limits acts, not the results of earlier ones. */
  readonly isPast?: boolean | undefined;
  /** What may be lost by it. */
  readonly loss?: Loss | undefined;
  /** Only rules about this: what is known besides was judged before. */
  readonly concerning?: Concern | undefined;
}

/** Something that may be lost, sent or paid. */
export interface Loss {
  /** A phrase. */
  readonly why: string;
  /** Whether this caller's settings want a person to agree. */
  readonly isAsked: boolean;
}

/** What a rule is about in the end: the part of a request that is known last. No rule is about a loss, but modes and settings are. */
export type Concern = 'command' | 'terminal' | 'application' | 'element' | 'loss';

export const SECURITY_MODES = ['normal', 'safe', 'sandboxed'] as const;
export type SecurityMode = (typeof SECURITY_MODES)[number];

/** What was approved beforehand for a run that nobody watches. */
export interface UnattendedRun {
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
}

/** The rules that count for one call. */
export interface Policy {
  readonly mode: SecurityMode;
  /** The lists and rules behind the verdicts. */
  readonly lists: readonly PolicyList[];
  /** Nobody is asked, and what was not approved is refused. */
  readonly unattended?: UnattendedRun | undefined;
  /** Why the rules cannot be read: nothing is allowed meanwhile. */
  readonly problem?: DeskterityError | undefined;
  /** Whether rules tell elements apart. */
  readonly judgesElements: boolean;
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
