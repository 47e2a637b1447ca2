import type { ActRecord } from './run/records.ts';

/** What the instrument found in the application with planted lies. */
export interface SelfCheck {
  /** The widgets that lie, and those of them that were found out. */
  readonly lies: readonly string[];
  readonly found: readonly string[];
  /** The widgets that do not, and those of them that were accused. */
  readonly honest: readonly string[];
  readonly accused: readonly string[];
}

const PLANTED = /^(?:lie|honest) /;

/** Compares what was recorded with what was planted: the names of the fixture's widgets say which of them lie. */
export function checkLies(records: readonly ActRecord[]): SelfCheck {
  const names = new Set<string>();
  const accused = new Set<string>();
  for (const { act, verdict } of records) {
    const { name } = act.more.at(-1) ?? act.target.key;
    if (!PLANTED.test(name) || verdict === 'excluded') continue;
    names.add(name);
    if (verdict !== 'agree') accused.add(name);
  }
  const lies = [...names].filter((name) => name.startsWith('lie ')).toSorted();
  const honest = [...names].filter((name) => name.startsWith('honest ')).toSorted();
  return {
    lies,
    found: lies.filter((name) => accused.has(name)),
    honest,
    accused: honest.filter((name) => accused.has(name)),
  };
}
