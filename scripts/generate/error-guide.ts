import { EXIT, type ErrorCode } from '../../src/model/effects/errors.ts';

/** Every exit code and its meaning, in order. */
export const EXIT_MEANINGS: readonly (readonly [number, string])[] = [
  [EXIT.OK, 'done'],
  [
    EXIT.GENERAL,
    '"is", "permissions" or "doctor" answered no; an expectation was not met; a command-line tool failed, or was still running when "operation await" ended; the call was cancelled',
  ],
  [EXIT.CONFIGURATION, 'a mistake in the configuration or in a tool file'],
  [EXIT.COMMUNICATION, 'the desktop or an application did not answer; the answer could not be written'],
  [EXIT.ACTION, 'an action failed or changed nothing'],
  [EXIT.USAGE, 'a mistake on the command line, or a token budget that is too small'],
  [
    EXIT.NOT_FOUND,
    'application, window, element, session, operation, terminal or tool not found; empty clipboard',
  ],
  [EXIT.TIMEOUT, 'the deadline passed, or a wait ended without success'],
  [EXIT.STALE, 'stale or ambiguous reference or name'],
  [EXIT.NOT_ACTIONABLE, 'not supported here, or the element cannot be acted on now'],
  [EXIT.DENIED, 'denied, for example while acting is stopped'],
  [EXIT.UNAVAILABLE, 'no display, bus, daemon, sandbox or support on this machine; or something is in use'],
  [EXIT.INTERNAL, 'a bug in Deskterity'],
];

/** For each code: when it occurs, and what to do. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, readonly [string, string]>> = {
  PERM_DENIED: [
    'The system does not allow reading or operating applications.',
    'Run `desk permissions`; it shows what to enable.',
  ],
  ELEMENT_NOT_FOUND: [
    'The session has no such reference, or no element matches the locator.',
    'Run `desk snapshot` or `desk find` and use a reference from the answer.',
  ],
  APP_NOT_FOUND: [
    'No running application has this name or process id.',
    'Run `desk list-apps`, or start it with `desk launch`.',
  ],
  ACTION_FAILED: [
    'The application refused the action, or a fresh read shows that nothing changed.',
    'Read `evidence` in the answer; take a new snapshot.',
  ],
  ACTION_NOT_SUPPORTED: [
    'The element or the desktop cannot do this.',
    'See what it offers: `desk snapshot --include-actions`.',
  ],
  TREE_TIMEOUT: [
    'Reading the tree took longer than the deadline.',
    'Use a longer `--timeout`, a smaller `--max-depth`, or `--root`.',
  ],
  STALE_REF: [
    'The element of the reference no longer exists, or can no longer be identified with certainty.',
    'Take a new snapshot, or use one of the candidates if any are listed.',
  ],
  WINDOW_NOT_FOUND: ['No window has this reference, id or title.', 'Run `desk list-windows`.'],
  PLATFORM_UNSUPPORTED: [
    'There is no adapter for this platform or session type.',
    'The message names what is supported.',
  ],
  CLIPBOARD_EMPTY: ['The clipboard contains nothing of the requested kind.', 'Copy something first.'],
  TIMEOUT: [
    'The deadline passed, or the awaited condition did not occur.',
    'Use a longer `--timeout`, or look with `desk snapshot`.',
  ],
  AMBIGUOUS_TARGET: ['Several elements or windows match.', 'Use one of the candidates.'],
  AMBIGUOUS_APP: ['Several running applications match.', 'Use a process id from the candidates.'],
  INVALID_ARGUMENT: [
    'An argument is unknown, missing or out of range.',
    'The message names what is accepted.',
  ],
  NOT_ACTIONABLE: [
    'The element stayed hidden, disabled, moving, covered or behind a modal dialog until the deadline.',
    'The message names what is in the way.',
  ],
  APP_UNRESPONSIVE: [
    'The application did not answer within the deadline.',
    'Try again, or close it with `desk close-app --force`.',
  ],
  BUS_UNAVAILABLE: ['The session bus or the accessibility bus cannot be reached.', 'Run `desk permissions`.'],
  DISPLAY_UNAVAILABLE: [
    'There is no display to work on.',
    'Set DISPLAY, or start a private desktop: `desk session new --private`.',
  ],
  DAEMON_UNAVAILABLE: [
    'The daemon, or a holder of operations and terminals, cannot be started or reached.',
    'Try again; `desk daemon logs` may show the cause.',
  ],
  SESSION_NOT_FOUND: ['No session has this name.', 'Run `desk session list`; check `--session`.'],
  CANCELLED: [
    'The call was cancelled: Ctrl-C, a lost connection, or `desk stop`.',
    'Check what it did before you repeat it.',
  ],
  CONFIG_INVALID: ['A configuration file has a mistake.', 'The message names the file and the key.'],
  EXPECTATION_FAILED: ['An expectation was not met.', 'The answer shows the actual state.'],
  BUDGET_TOO_SMALL: ['Even the smallest answer exceeds the token budget.', 'Use a larger `--max-tokens`.'],
  POLICY_DENIED: [
    'Acting is stopped, or a rule forbids this command or target.',
    'The message names the rule. A person allows acting again with `desk resume`.',
  ],
  CONFIRMATION_REQUIRED: [
    'A person must confirm the command.',
    'Confirm it, or ask the owner of the machine.',
  ],
  RATE_LIMITED: ['Too many calls, queued operations or terminals.', 'Wait, or end some of them.'],
  UNAUTHORIZED: ['The caller is not authenticated.', 'Use a valid token.'],
  SANDBOX_UNAVAILABLE: [
    'The kernel cannot confine the program as requested.',
    'The message names what is missing.',
  ],
  OPERATION_NOT_FOUND: ['No operation has this id.', 'Run `desk operation list`.'],
  TERMINAL_NOT_FOUND: ['No terminal has this name.', 'Run `desk terminal list`.'],
  TERMINAL_BUSY: [
    'The terminal is running something else.',
    'Wait for it to end, or repeat with `--interrupt` to end it.',
  ],
  TOOL_NOT_FOUND: ['No tool has this name.', 'Run `desk tools list`.'],
  TOOL_INVALID: ['A tool file has a mistake.', 'The message names the file and the key.'],
  TOOL_UNTRUSTED: [
    'The tool file has not been trusted yet, or has changed since.',
    'Read it, then run `desk tools trust`.',
  ],
  SERVER_UNAVAILABLE: [
    'Another MCP server could not be started or reached, or ended.',
    'Read the reason in the message; `desk tools list NAME` tries again.',
  ],
  CONFLICT: ['Something else is using what this call needs.', 'Wait and try again.'],
  INTERNAL: ['A bug in Deskterity.', 'Report it with the output of `desk version`.'],
};
