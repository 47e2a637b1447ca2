import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALWAYS_TESTED, COMMANDS, TOOLKITS_ON, WHOLE_TABLE } from '../../../../scripts/compatibility/rows.ts';
import type { Command } from '../../../../scripts/compatibility/rows.ts';
import { usePlace, USUAL_DISPLAY } from '../../harness.ts';
import { FORM_ACTING } from './acting-checks.ts';
import type { Checks } from './check.ts';
import { FORM_INPUT } from './input-checks.ts';
import { SHEET_CHECKS } from './sheet-checks.ts';
import { FORM_WAITING, WAITING_CHECKS } from './waiting-checks.ts';
import { WINDOW_CHECKS } from './window-checks.ts';
import { Reader } from '../reader.ts';
import { READING_CHECKS } from '../reading-checks.ts';
import { useResults } from '../results.ts';
import { isInstalled, SUBJECTS } from '../subjects.ts';

const SHARED: Checks = { ...READING_CHECKS, ...WINDOW_CHECKS, ...WAITING_CHECKS };
const FORM: Checks = { ...SHARED, ...FORM_ACTING, ...FORM_INPUT, ...FORM_WAITING };
/** Calc reports changes of cells late and under other names, so differences are not compared there. */
const { 'snapshot --since': _since, ...SHEET_SHARED } = SHARED;
const SHEET: Checks = { ...SHEET_SHARED, ...SHEET_CHECKS };
/** Reading commands run before anything is changed, and commands that close windows last. */
const IN_ORDER = COMMANDS.toSorted((one, other) => placeOf(one) - placeOf(other));

/** Tests every command on some of the toolkits, on one desktop, and records the results for the table. */
export function testCompatibility(file: string, toolkits: readonly string[]): void {
  const place = usePlace();
  const results = useResults(`compatibility-${file}`, USUAL_DISPLAY);
  const kinds = SUBJECTS.filter(
    ({ toolkit }) => toolkits.includes(toolkit) && TOOLKITS_ON[USUAL_DISPLAY].includes(toolkit),
  );

  it.runIf(kinds.length === 0)('is not in the half of the page for this display', () => {
    expect(TOOLKITS_ON[USUAL_DISPLAY]).not.toEqual(expect.arrayContaining([...toolkits]));
  });

  describe.each(kinds)('$toolkit', (kind) => {
    let reader: Reader | undefined;
    beforeAll(async () => {
      if (isInstalled(kind)) reader = new Reader(place(), await kind.start(place()));
    });
    afterAll(async () => {
      await reader?.stop();
    });

    const checks = kind.toolkit === 'LibreOffice Calc' ? SHEET : FORM;
    const tested = process.env[WHOLE_TABLE] === undefined ? ALWAYS_TESTED : IN_ORDER;
    it.for(tested.filter((command) => checks[command] !== undefined))('%s', async (command, context) => {
      if (!isInstalled(kind))
        results.skip(context, kind.toolkit, command, `${kind.program} is not installed`);
      const row = await results.run(kind.toolkit, command, async () => {
        if (reader === undefined) throw new Error(`${kind.toolkit} did not start`);
        await checks[command]?.(reader);
      });
      const accepted = command in READING_CHECKS ? ['works'] : ['works', 'refused'];
      expect(accepted).toContain(row.outcome);
    });
  });
}

function placeOf(command: Command): number {
  if (command in READING_CHECKS) return 0;
  return command in WINDOW_CHECKS ? 2 : 1;
}
