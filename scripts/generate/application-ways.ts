import type { TwinRow } from '../proof/twins/report.ts';
import { table } from './markdown.ts';

/** Of the ways to act, those through accessibility: what was done, on which role, and by what. */
const THROUGH_ACCESSIBILITY =
  /^(?<act>\S+) (?<role>.+) by at-spi:(?:Action\.DoAction\((?<action>.+)\)|(?<method>\S+))$/;

interface Way {
  readonly toolkit: string;
  readonly act: string;
  readonly action: string;
  readonly roles: Set<string>;
  readonly applications: Set<string>;
  agreed: number;
  others: number;
}

/** How often each accessibility action did what a mouse and a keyboard do, by toolkit: what `stand-ins.json` allows, and what came of it. */
export function standingIn(rows: readonly TwinRow[]): string[] {
  const telling = rows.filter(({ ways }) => ways !== undefined);
  const ways = waysOf(telling);
  if (ways.length === 0) return [];
  return [
    '### Accessibility actions in place of the hand',
    '',
    'Where `desk` runs an accessibility action, the twin used the mouse and the keyboard. *As by hand* are the acts after which both sides were alike, and the answer was',
    `\`confirmed\` where there was anything to see. Older records do not tell the way: this is of ${telling.length} of ${rows.length} applications.`,
    '',
    ...table(
      ['toolkit', 'act', 'on', 'accessibility action', 'applications', 'as by hand', 'not'],
      ways.map(({ toolkit, act, roles, action, applications, agreed, others }) => [
        toolkit,
        `\`${act}\``,
        [...roles].toSorted().join(', '),
        `\`${action}\``,
        String(applications.size),
        String(agreed),
        String(others),
      ]),
    ),
    '',
  ];
}

function waysOf(rows: readonly TwinRow[]): Way[] {
  const found = new Map<string, Way>();
  for (const { row, toolkit: version, ways = {} } of rows)
    for (const [name, [agreed, others]] of Object.entries(ways)) {
      const { act, role, action, method } = THROUGH_ACCESSIBILITY.exec(name)?.groups ?? {};
      const by = action ?? method;
      if (act === undefined || role === undefined || by === undefined) continue;
      const toolkit = version.replace(/ \(.*/, '');
      const key = [toolkit, act, by].join('\0');
      const way = found.get(key) ?? {
        toolkit,
        act,
        action: by,
        roles: new Set<string>(),
        applications: new Set<string>(),
        agreed: 0,
        others: 0,
      };
      way.roles.add(role);
      way.applications.add(row);
      way.agreed += agreed;
      way.others += others;
      found.set(key, way);
    }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, way]) => way);
}
