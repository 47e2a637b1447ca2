import { CONFIRMATIONS, SETTINGS, type Configuration, type ConfigurationEntry } from './config.ts';

type Value = ConfigurationEntry['value'];

/**
 * The settings that a project may change, each with the value that then counts; `undefined` if the wanted one would allow more. The names of
 * variables are not among them: a list of them could name a secret.
 */
const RULES: Readonly<Record<string, (current: Value, wanted: Value) => Value | undefined>> = {
  // Which sandbox is strictest, the machine knows: that is what `auto` chooses.
  'sandbox.mode': (current, wanted) => (current === 'off' && wanted !== 'off' ? 'auto' : undefined),
  'redaction.password_fields': (_current, wanted) => (wanted === true ? true : undefined),
  'confirmation.destructive': (current, wanted) => (orderOf(wanted) > orderOf(current) ? wanted : undefined),
  'operations.output_mb': smaller,
  'operations.answer_tokens': smaller,
};

function orderOf(value: Value): number {
  return CONFIRMATIONS.findIndex((one) => one === value);
}

function smaller(current: Value, wanted: Value): Value | undefined {
  return typeof current === 'number' && typeof wanted === 'number' && wanted < current ? wanted : undefined;
}

export interface Tightened {
  /** As variables, which override the configuration file. */
  readonly variables: Readonly<Record<string, string>>;
  /** Keys that count. */
  readonly applied: readonly string[];
  /** Keys that do not: they would allow more, or are not for projects. */
  readonly ignored: readonly string[];
}

/** What of a project's settings counts: only what allows less than the user's own. */
export function tighten(
  current: Configuration,
  wanted: readonly Pick<ConfigurationEntry, 'key' | 'value'>[],
): Tightened {
  const values = new Map<string, Value>();
  const ignored = new Set<string>();
  for (const { key, value } of wanted) {
    const setting = SETTINGS.find((known) => known.key === key);
    const before = values.get(key) ?? (setting === undefined ? undefined : valueOf(current, setting));
    const after =
      before === undefined || !Object.hasOwn(RULES, key) ? undefined : RULES[key]?.(before, value);
    if (after === undefined) ignored.add(key);
    else values.set(key, after);
  }
  const variables = [...values].flatMap(([key, value]) =>
    SETTINGS.filter((setting) => setting.key === key).map(
      ({ variable }) => [variable, String(value)] as const,
    ),
  );
  return {
    variables: Object.fromEntries(variables),
    applied: [...values.keys()],
    ignored: [...ignored].filter((key) => !values.has(key)),
  };
}

function valueOf(
  configuration: Configuration,
  { section, name }: { section: string; name: string },
): Value | undefined {
  const found = Object.entries(configuration).find(([key]) => key === section)?.[1];
  const value: unknown =
    found === undefined ? undefined : Object.entries(found).find(([key]) => key === name)?.[1];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined;
}
