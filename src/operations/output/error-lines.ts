/** The lines that belong to an error line. */
export interface ErrorKind {
  /** Number of lines before it; default 0. */
  readonly before?: number;
  /** Maximum number of lines after it; default 0. */
  readonly after?: number;
  /** The last line that belongs to it, if it comes within `after` lines. */
  readonly until?: RegExp;
}

interface Rule extends ErrorKind {
  readonly pattern: RegExp;
}

/** Error formats of compilers, test runners, interpreters and build tools; the first match applies. */
const RULES: readonly Rule[] = [
  // Python: frames, then the exception.
  { pattern: /^\s*Traceback \(most recent call last\)/, after: 60, until: /^\S/ },
  // rustc: the location, the code, an empty line.
  { pattern: /^error(?:\[E\d+\])?: /, after: 12, until: /^\s*$/ },
  { pattern: /panicked at /, after: 3 },
  // gcc, clang, javac, tsc, swiftc, msbuild: file, position, error.
  {
    pattern: /^\s*[^\s:(]+(?:[:(]\d+[:,)]*){1,2}\s*:?\s*(?:-\s*)?(?:fatal |internal compiler )?error\b/i,
    after: 3,
  },
  { pattern: /^\s*\d+:\d+\s+error\s/ },
  { pattern: /undefined reference to|^(?:collect2|ld|clang)\b.*\berror\b|ld returned \d+ exit/, before: 1 },
  // Test runners.
  { pattern: /^E {2,}\S/, before: 1 },
  { pattern: /^(?:FAILED|ERROR) \S|^FAIL(?:\s|:|$)|^\s*--- FAIL: |^={3,} (?:FAILURES|ERRORS) =/, after: 4 },
  { pattern: /^test .{1,300} \.\.\. FAILED/ },
  { pattern: /^\s*not ok\b/, after: 4 },
  { pattern: /^\s*(?:[●✕✗✖×]|❯ FAIL|FAIL)\s/, after: 4 },
  // npm, make, Maven, Gradle, CMake, apt, git.
  { pattern: /^npm (?:ERR!|error)(?:\s|$)/ },
  { pattern: /^\S*make(?:\[\d+\])?: \*\*\* /, before: 2 },
  { pattern: /^\[(?:ERROR|FATAL)\]|^FAILURE: |^BUILD FAILED|^> Task \S+ FAILED|^CMake Error|^E: /, after: 3 },
  { pattern: /^(?:fatal|panic|FATAL|error|Error|ERROR|CRITICAL)(?:\(\w+\))?: /, before: 1, after: 2 },
  // Exceptions with their names, as in Node, Java, C# and Ruby.
  {
    pattern:
      /^\s*(?:Uncaught |Caused by: |Unhandled exception\W |Exception in thread "[^"]{0,200}" )?(?:[\w$]{1,80}[.:]{1,2}){0,12}[A-Z]\w{0,80}(?:Error|Exception)\b/,
    after: 4,
  },
  // Shells and the system.
  {
    pattern:
      /: (?:command not found|No such file or directory|Permission denied|not found|Operation not permitted)\s*$/,
  },
  {
    pattern: /\bSegmentation fault\b|\bcore dumped\b|\bOut of memory\b|\bNo space left on device\b/i,
    before: 1,
  },
  // Logs.
  { pattern: /(?:^|[\s[|])(?:ERROR|FATAL|CRITICAL|SEVERE)(?:[\s\]:|]|$)/, after: 1 },
];

/** Words that suggest an error. */
const LIKELY =
  /\b(?:error|errors|failed|failure|failures|exception|fatal|panic|denied|cannot|could not|unable to|invalid|missing)\b/i;
const HARMLESS =
  /\b(?:0|no|without|zero) (?:\w+ )?(?:errors?|failed|failures?|problems?)\b|\b(?:errors?|failed|failures?)\s*[:=]\s*0\b|\bif (?:\w+ )?(?:error|fail)|-Werror\b/i;
/** A count that is not zero. */
const NON_ZERO =
  /\b[1-9]\d* (?:\w+ )?(?:errors?|failed|failures?|problems?)\b|\b(?:errors?|failed|failures?)\s*[:=]\s*[1-9]/i;
/** Matches every line that any rule above could match, to skip other output quickly. */
const CANDIDATE =
  /error|exception|fail|fatal|panic|traceback|denied|cannot|could not|unable|invalid|missing|not ok|not found|no such file|not permitted|segmentation|core dumped|out of memory|no space|critical|severe|undefined reference|exit status|returned|\*\*\*|E {3}|E: |\u25CF|\u2715|\u2717|\u2716|\u00D7/i;
const LONGEST_JUDGED = 2000;

/** Whether any line of a text might look like an error. */
export function mayHaveErrors(text: string): boolean {
  return CANDIDATE.test(text);
}

/** Whether a line looks like an error: `isSure` if it has a tool's own error format. */
export function judgeLine(text: string): { readonly isSure: boolean; readonly kind: ErrorKind } | undefined {
  const line = text.length > LONGEST_JUDGED ? text.slice(0, LONGEST_JUDGED) : text;
  if (!CANDIDATE.test(line) || (HARMLESS.test(line) && !NON_ZERO.test(line))) return undefined;
  const rule = RULES.find(({ pattern }) => pattern.test(line));
  if (rule !== undefined) return { isSure: true, kind: rule };
  return LIKELY.test(line) ? { isSure: false, kind: {} } : undefined;
}
