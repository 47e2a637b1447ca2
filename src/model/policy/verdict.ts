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
  /** The lists behind the verdicts. */
  readonly lists: readonly PolicyList[];
  decide(request: PolicyRequest): Verdict;
}

/** One list of patterns, as people see it. */
export interface PolicyList {
  /** Such as `applications.denied`. */
  readonly name: string;
  /** Where it comes from: `built in`, a path, or a variable. */
  readonly source: string;
  readonly patterns: readonly string[];
}
