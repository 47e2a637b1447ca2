import { z } from 'zod';
import { AuditConfiguration, RateLimitConfiguration } from './guard-configuration.ts';
import { PICTURE_CONSENTS, type PictureConsent } from '../effects/picture-consent.ts';
import { SEATS } from '../effects/seat.ts';
import { SANDBOX_NAMES } from '../tools/confinement.ts';
import { choice, flag, text, whole } from './setting.ts';
import { parseSwitch } from './switch-words.ts';
import { TERMINAL_SPELLINGS, TerminalConfiguration } from './terminal-configuration.ts';

const section = z.strictObject;

/** Deadlines of the toolset inspect. */
const INSPECT_MS: [number, number] = [100, 600_000];

/** When MCP answers carry structured content. */
export const STRUCTURED = ['always', 'never'] as const;
export type Structured = (typeof STRUCTURED)[number];

/** What MCP clients are asked: nothing, what only a person can know, or also what a model can find out. */
export const ASKED_FOR = ['never', 'needed', 'always'] as const;
export type AskedFor = (typeof ASKED_FOR)[number];

/** Which acts that may lose something need consent: none, those of clients that can ask a person, or all. */
export const CONFIRMATIONS = ['never', 'ask', 'require'] as const;
export type Confirmation = (typeof CONFIRMATIONS)[number];

/** Every setting, with its default. A key path in snake_case is also `DESKTERITY_` + the path in capitals (`DESKTERITY_LOG_LEVEL`); see {@link SHORT_VARIABLES}. */
export const Configuration = z.strictObject({
  output: section({
    format: choice(
      ['auto', 'json', 'human', 'outline', 'text', 'quiet'],
      'auto',
      'How answers are printed; auto: for people at a terminal, as JSON elsewhere.',
    ),
  }).prefault({}),
  daemon: section({
    idle_timeout_ms: whole([1000, 86_400_000], 300_000, 'Time without calls after which the daemon exits.'),
  }).prefault({}),
  log: section({
    level: choice(['debug', 'info', 'warn', 'error'], 'info', 'Least severe entry that is logged.'),
    keep_days: whole([1, 365], 7, 'Days after which a log file is removed.'),
  }).prefault({}),
  private_desktop: section({
    width: whole([320, 16_384], 1920, 'Screen width in pixels.'),
    height: whole([200, 16_384], 1080, 'Screen height in pixels.'),
  }).prefault({}),
  input: section({
    seat: choice(
      SEATS,
      'shared',
      "Keyboard and pointer that acts use: the user's (shared), or a pair of Deskterity's own beside them, where the display can have one (own).",
    ),
  }).prefault({}),
  settle: section({
    quiet_ms: whole([0, 10_000], 80, 'Time without events after which an act counts as settled.'),
    limit_ms: whole(
      [50, 60_000],
      1000,
      'Longest wait for an act to settle, or for the effect of one that showed nothing.',
    ),
  }).prefault({}),
  screenshot: section({
    debounce_ms: whole(
      [0, 10_000],
      100,
      'A screenshot taken again within this time may be the same picture, unless something was done, waited for or read since; 0 takes each anew.',
    ),
    consent: choice(
      PICTURE_CONSENTS,
      'auto',
      'By what screenshots are taken: directly where the desktop lets programs, else by the desktop portal, which may ask you (auto); only by the portal; or never by it (direct). If the file says portal, neither a variable nor a call can change it.',
    ),
  }).prefault({}),
  redaction: section({
    password_fields: flag('Blank password fields in pictures. Only the file can switch it off.', true),
  }).prefault({}),
  sandbox: section({
    scope: text('Folder that command-line tools may work in; empty for the folder of the caller.'),
    mode: choice(
      ['auto', ...SANDBOX_NAMES, 'off'],
      'auto',
      'Sandbox that confines command-line tools; off uses none.',
    ),
    environment: text(
      'Variables that confined commands get, such as "NODE_ENV CI MY_*", besides PATH and the like; empty for all that are not secrets.',
    ),
    deny_report: flag('Report each access that the sandbox denies.'),
  }).prefault({}),
  operations: section({
    synchronous: flag('Wait for the end of every command-line tool.'),
    grace_ms: whole(
      [0, 60_000],
      3000,
      'How long a call waits for a command to end before it answers with an operation_id.',
    ),
    answer_tokens: whole(
      [200, 50_000],
      2000,
      'Maximum tokens of output in an answer, unless the call sets another limit.',
    ),
    output_mb: whole([1, 10_000], 64, 'Most output of one operation stored on disk, in MiB.'),
  }).prefault({}),
  mcp: section({
    structured: choice(
      STRUCTURED,
      'never',
      'Whether MCP answers carry structured content, with only a short text beside it, or everything as text.',
    ),
    describe: flag(
      "Offer the tool desktop_describe, which shows a picture of a window to the client's model.",
    ),
    inspect_tree_timeout_ms: whole(INSPECT_MS, 5000, 'Deadline of get_ui_tree in the toolset inspect.'),
    inspect_search_timeout_ms: whole(INSPECT_MS, 2000, 'Deadline of find_element.'),
    inspect_focused_timeout_ms: whole(INSPECT_MS, 1000, 'Deadline of get_focused_element.'),
    inspect_windows_timeout_ms: whole(INSPECT_MS, 1000, 'Deadline of list_windows.'),
    oauth_issuer: text(
      'Authorization server whose access tokens clients over HTTP must send, such as https://login.example.com; empty for none.',
    ),
    oauth_audience: text(
      'URL of the MCP server as its clients know it, which access tokens must be meant for; empty for the address that is served.',
    ),
    oauth_scopes: text(
      'Scopes that each access token must have, separated by spaces, and that clients are told to ask for; read at least.',
    ),
    questions: choice(
      ASKED_FOR,
      'needed',
      'When MCP clients that can answer are asked instead of being told the choices: if several applications have the name, accessibility is off or another server wants somebody to sign in (needed), also if an element is not found (always), or never.',
    ),
  }).prefault({}),
  confirmation: section({
    destructive: choice(
      CONFIRMATIONS,
      'ask',
      'Acts that may lose something: MCP clients that can ask a person are asked (ask), and everything else is refused, too (require), or none (never).',
    ),
  }).prefault({}),
  tools: section({
    folder: text('Folder of tool files in addition to .deskterity/tools in the folder that tools work in.'),
  }).prefault({}),
  terminal: TerminalConfiguration.prefault({}),
  audit: AuditConfiguration.prefault({}),
  rate_limit: RateLimitConfiguration.prefault({}),
});
export type Configuration = z.output<typeof Configuration>;

/** All settings from some of them. zod would compile a parser for each section, which takes longer than many calls gain by it. */
export function completeConfiguration(given: Readonly<Record<string, unknown>> = {}): Configuration {
  return Configuration.parse(given, { jitless: true });
}

export const CONFIGURATION_SOURCES = ['default', 'file', 'environment', 'flag'] as const;
export type ConfigurationSource = (typeof CONFIGURATION_SOURCES)[number];

/** One setting with where its value came from. */
export interface ConfigurationEntry {
  /** Such as `log.level`. */
  readonly key: string;
  readonly value: string | number | boolean;
  readonly source: ConfigurationSource;
  /** The variable, if the value came from one. */
  readonly variable?: string | undefined;
}

/**
 * When consent is required: as a caller's settings say, which may come from a client, but at least as the user's own file says. A file that says nothing
 * leaves it to them.
 */
export function strictestConfirmation(
  own: Pick<ResolvedConfiguration, 'values' | 'entries'>,
  caller: Confirmation,
): Confirmation {
  const entry = own.entries.find(({ key }) => key === 'confirmation.destructive');
  if (entry?.source !== 'file') return caller;
  const { destructive } = own.values.confirmation;
  return CONFIRMATIONS.indexOf(destructive) > CONFIRMATIONS.indexOf(caller) ? destructive : caller;
}

/** The same for pictures: what a caller wants, unless the user's own file wants the portal to ask. */
export function strictestConsent(
  own: Pick<ResolvedConfiguration, 'values'>,
  caller: PictureConsent,
): PictureConsent {
  return own.values.screenshot.consent === 'portal' ? 'portal' : caller;
}

/** All settings of one call. */
export interface ResolvedConfiguration {
  readonly values: Configuration;
  readonly entries: readonly ConfigurationEntry[];
  /** Where the file is, or would be. */
  readonly file: string;
  readonly fileExists: boolean;
}

/** The description of one setting, for parsing texts, for messages and for documentation. */
export interface Setting {
  /** Such as `log.level`. */
  readonly key: string;
  readonly section: string;
  /** Key inside its section. */
  readonly name: string;
  /** Such as `DESKTERITY_LOG_LEVEL`. */
  readonly variable: string;
  /** Another variable with the same meaning and lower precedence: the long form of a short one, or one of another program. */
  readonly otherVariable?: string | undefined;
  readonly default: ConfigurationEntry['value'];
  readonly description: string;
  /** A phrase that follows "must be": `one of debug, info`, `a whole number from 1 to 365`. */
  readonly accepts: string;
  /** The value if it is valid for this setting; never converts. */
  readonly accept: (value: unknown) => ConfigurationEntry['value'] | undefined;
  /** Parses the text of a variable or flag. */
  readonly acceptText: (text: string) => ConfigurationEntry['value'] | undefined;
}

/** Settings that are set often enough for a shorter variable. */
const SHORT_VARIABLES: Readonly<Record<string, string>> = {
  'output.format': 'DESKTERITY_FORMAT',
  'confirmation.destructive': 'DESKTERITY_CONFIRM_DESTRUCTIVE',
};

/** Other words for values of a variable. */
const SPELLINGS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  'confirmation.destructive': new Map([
    ['true', 'ask'],
    ['false', 'never'],
  ]),
};

/** All settings in the order of {@link Configuration}. */
export const SETTINGS: readonly Setting[] = Object.entries(Configuration.shape).flatMap(([section, table]) =>
  Object.entries(table.unwrap().shape).map(([name, type]) => describeSetting(section, name, type)),
);

/** Variables that are not settings: they say where a call belongs. */
export const CALL_VARIABLES = [
  'DESKTERITY_SESSION',
  'DESKTERITY_NO_DAEMON',
  'DESKTERITY_PRIVATE_DESKTOP',
  'DESKTERITY_DIALOG',
  'DESKTERITY_HTTP_TOKEN',
  // They tighten the policy.
  'DESKTERITY_SECURITY_MODE',
  'DESKTERITY_ALLOWED_APPS',
  'DESKTERITY_DENIED_APPS',
  // It names what was approved beforehand.
  'DESKTERITY_UNATTENDED',
  // Marks processes that an operation has started.
  'DESKTERITY_OPERATION',
] as const;

/** Variables that our test runs set for every process below them; the program never reads them. */
const TEST_MARK = /^DESKTERITY_(?:RUN|REPEATS|TEST_\w+)$/;

/** Whether a variable whose name starts with `DESKTERITY_` is known but not a setting. */
export function isReservedVariable(name: string): boolean {
  return CALL_VARIABLES.some((known) => known === name) || TEST_MARK.test(name);
}

type SettingType = z.ZodDefault<z.ZodInt | z.ZodEnum | z.ZodString | z.ZodBoolean>;

function describeSetting(section: string, name: string, type: SettingType): Setting {
  const bare = type.unwrap();
  const accept = (value: unknown) => {
    const result = bare.safeParse(value);
    return result.success ? result.data : undefined;
  };
  const key = `${section}.${name}`;
  const spellings = section === 'terminal' ? TERMINAL_SPELLINGS[name] : SPELLINGS[key];
  const longVariable = `DESKTERITY_${section}_${name}`.toUpperCase();
  return {
    key,
    section,
    name,
    variable: SHORT_VARIABLES[key] ?? longVariable,
    otherVariable:
      section === 'terminal' ? `TERMINATOR_${name.toUpperCase()}` : SHORT_VARIABLES[key] && longVariable,
    default: type.def.defaultValue,
    // Read only for messages and documentation.
    get description() {
      return type.description ?? '';
    },
    get accepts() {
      return phraseOf(bare);
    },
    accept,
    acceptText: (text) => {
      if (bare instanceof z.ZodBoolean) return parseSwitch(text);
      if (bare instanceof z.ZodNumber) return /^[+-]?\d{1,15}$/.test(text) ? accept(Number(text)) : undefined;
      if (bare instanceof z.ZodString) return accept(text);
      const word = text.toLowerCase();
      return accept(spellings?.get(word) ?? word);
    },
  };
}

function phraseOf(type: ReturnType<SettingType['unwrap']>): string {
  if (type instanceof z.ZodNumber) return `a whole number from ${type.minValue} to ${type.maxValue}`;
  if (type instanceof z.ZodEnum) return `one of ${type.options.join(', ')}`;
  return type instanceof z.ZodBoolean ? 'true or false' : 'a text';
}
