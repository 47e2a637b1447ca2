import type { Candidate, ErrorBody } from './error-body.ts';

export type { Candidate, ErrorBody } from './error-body.ts';

/** Exit codes of the command line; the only table of them. */
export const EXIT = {
  OK: 0,
  GENERAL: 1,
  CONFIGURATION: 2,
  COMMUNICATION: 3,
  ACTION: 4,
  USAGE: 5,
  NOT_FOUND: 6,
  TIMEOUT: 7,
  STALE: 8,
  NOT_ACTIONABLE: 9,
  DENIED: 10,
  UNAVAILABLE: 11,
  INTERNAL: 70,
} as const;

/** Every error code and its exit code. Closed: a new one needs a new row and a new pin. */
export const ERROR_EXIT_CODES = {
  PERM_DENIED: EXIT.DENIED,
  ELEMENT_NOT_FOUND: EXIT.NOT_FOUND,
  APP_NOT_FOUND: EXIT.NOT_FOUND,
  ACTION_FAILED: EXIT.ACTION,
  ACTION_NOT_SUPPORTED: EXIT.NOT_ACTIONABLE,
  TREE_TIMEOUT: EXIT.TIMEOUT,
  STALE_REF: EXIT.STALE,
  WINDOW_NOT_FOUND: EXIT.NOT_FOUND,
  PLATFORM_UNSUPPORTED: EXIT.UNAVAILABLE,
  CLIPBOARD_EMPTY: EXIT.NOT_FOUND,
  TIMEOUT: EXIT.TIMEOUT,
  AMBIGUOUS_TARGET: EXIT.STALE,
  AMBIGUOUS_APP: EXIT.STALE,
  INVALID_ARGUMENT: EXIT.USAGE,
  NOT_ACTIONABLE: EXIT.NOT_ACTIONABLE,
  APP_UNRESPONSIVE: EXIT.COMMUNICATION,
  BUS_UNAVAILABLE: EXIT.UNAVAILABLE,
  DISPLAY_UNAVAILABLE: EXIT.UNAVAILABLE,
  DAEMON_UNAVAILABLE: EXIT.UNAVAILABLE,
  SESSION_NOT_FOUND: EXIT.NOT_FOUND,
  CANCELLED: EXIT.GENERAL,
  CONFIG_INVALID: EXIT.CONFIGURATION,
  EXPECTATION_FAILED: EXIT.GENERAL,
  BUDGET_TOO_SMALL: EXIT.USAGE,
  POLICY_DENIED: EXIT.DENIED,
  CONFIRMATION_REQUIRED: EXIT.DENIED,
  RATE_LIMITED: EXIT.DENIED,
  UNAUTHORIZED: EXIT.DENIED,
  SANDBOX_UNAVAILABLE: EXIT.UNAVAILABLE,
  OPERATION_NOT_FOUND: EXIT.NOT_FOUND,
  TERMINAL_NOT_FOUND: EXIT.NOT_FOUND,
  TERMINAL_BUSY: EXIT.UNAVAILABLE,
  TOOL_NOT_FOUND: EXIT.NOT_FOUND,
  TOOL_INVALID: EXIT.CONFIGURATION,
  TOOL_UNTRUSTED: EXIT.DENIED,
  SERVER_UNAVAILABLE: EXIT.UNAVAILABLE,
  CONFLICT: EXIT.UNAVAILABLE,
  INTERNAL: EXIT.INTERNAL,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_EXIT_CODES;

export interface PageToOpen {
  readonly address: string;
  /** Resolves when nothing more is to be done there: with whether the call can succeed now. Never rejects. */
  readonly over: Promise<boolean>;
}

/** What the element of an act looks like. */
export interface ConsentPicture {
  /** As PNG, without what password fields show; `undefined` if there is no such picture. */
  take(): Promise<Uint8Array | undefined>;
  /** A file that has it for now. */
  readonly file?: string | undefined;
}

export interface ErrorDetails {
  /** The next command or parameter to try, as one sentence. */
  suggestion: string;
  /** What the platform reported, such as an error name of the desktop or an errno. */
  platformDetail?: string | undefined;
  candidates?: readonly Candidate[] | undefined;
  /** Whether the same call may succeed if repeated unchanged. Default false, and always false if input may have reached the application. */
  retryable?: boolean | undefined;
  /** When the same call may succeed. */
  retryAfterMs?: number | undefined;
  /** For acting commands: whether input may have reached the application. */
  delivered?: boolean | undefined;
  /** Result fields beside `error` in the envelope, such as a receipt. */
  result?: Record<string, unknown> | undefined;
  /** The result as lines of text, for surfaces and formats that show text. */
  report?: string | undefined;
  /** A page that a person must open before the call can succeed. Not part of the body: the suggestion says it in words. */
  page?: PageToOpen | undefined;
  /** Of CONFIRMATION_REQUIRED: names the act that was refused, for the one who is asked; the act runs if the call comes again with it. Never shown to callers. */
  consent?: string | undefined;
  /** Beside {@link consent}, for the one who is asked. Never part of the body. */
  picture?: ConsentPicture | undefined;
  /** Beside {@link consent}, sentences for the one who is asked alone: they are not recorded. */
  aside?: string | undefined;
  cause?: unknown;
}

/** The one error class of the product. Codes are listed in {@link ERROR_EXIT_CODES}. */
export class DeskterityError extends Error {
  override readonly name = 'DeskterityError';
  readonly code: ErrorCode;
  readonly suggestion: string;
  readonly platformDetail: string | undefined;
  readonly candidates: readonly Candidate[];
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly delivered: boolean | undefined;
  readonly result: Record<string, unknown> | undefined;
  readonly report: string | undefined;
  readonly page: PageToOpen | undefined;
  readonly consent: string | undefined;
  readonly picture: ConsentPicture | undefined;
  readonly aside: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, { cause: details.cause });
    this.code = code;
    this.suggestion = details.suggestion;
    this.platformDetail = details.platformDetail;
    this.candidates = details.candidates ?? [];
    // What was delivered may have had its effect: repeating it unchanged could do it twice.
    this.retryable = details.retryable === true && details.delivered !== true;
    this.retryAfterMs = details.retryAfterMs;
    this.delivered = details.delivered;
    this.result = details.result;
    this.report = details.report;
    this.page = details.page;
    this.consent = details.consent;
    this.picture = details.picture;
    this.aside = details.aside;
  }

  get exitCode(): number {
    return ERROR_EXIT_CODES[this.code];
  }

  /** A copy with other texts or details. */
  with({
    message = this.message,
    ...details
  }: Partial<ErrorDetails> & { message?: string }): DeskterityError {
    const { code, suggestion, platformDetail, candidates, retryable, retryAfterMs } = this;
    const { delivered, result, report, page, consent, picture, aside } = this;
    const asked = { suggestion, platformDetail, candidates, retryable, retryAfterMs };
    const told = { delivered, result, report, page, consent, picture, aside };
    return new DeskterityError(code, message, { ...asked, ...told, cause: this, ...details });
  }

  toBody(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      suggestion: this.suggestion,
      ...(this.platformDetail === undefined ? {} : { platform_detail: this.platformDetail }),
      ...(this.candidates.length === 0 ? {} : { candidates: [...this.candidates] }),
      retryable: this.retryable,
      ...(this.retryAfterMs === undefined ? {} : { retry_after_ms: this.retryAfterMs }),
      ...(this.delivered === undefined ? {} : { delivered: this.delivered }),
    };
  }
}
