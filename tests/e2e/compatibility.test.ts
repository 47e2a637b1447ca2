import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../scripts/compatibility/rows.ts';
import type { Command } from '../../scripts/compatibility/rows.ts';
import { usePlace } from './harness.ts';
import { FORM_ACTING } from './support/compatibility/acting-checks.ts';
import type { Checks } from './support/compatibility/check.ts';
import { FORM_INPUT } from './support/compatibility/input-checks.ts';
import { SHEET_CHECKS } from './support/compatibility/sheet-checks.ts';
import { FORM_WAITING, WAITING_CHECKS } from './support/compatibility/waiting-checks.ts';
import { WINDOW_CHECKS } from './support/compatibility/window-checks.ts';
import { Reader } from './support/reader.ts';
import { READING_CHECKS } from './support/reading-checks.ts';
import { useResults } from './support/results.ts';
import { isInstalled, SUBJECTS } from './support/subjects.ts';

const place = usePlace();
const results = useResults('compatibility');

const SHARED: Checks = { ...READING_CHECKS, ...WINDOW_CHECKS, ...WAITING_CHECKS };
const FORM: Checks = { ...SHARED, ...FORM_ACTING, ...FORM_INPUT, ...FORM_WAITING };
const SHEET: Checks = { ...SHARED, ...SHEET_CHECKS };
/** Nothing has been changed when it is read; what ends windows comes last. */
const IN_ORDER = COMMANDS.toSorted((one, other) => placeOf(one) - placeOf(other));

describe.each(SUBJECTS)('$toolkit', (kind) => {
  let reader: Reader | undefined;
  beforeAll(async () => {
    if (isInstalled(kind)) reader = new Reader(place(), await kind.start(place()));
  });
  afterAll(async () => {
    await reader?.stop();
  });

  const checks = kind.toolkit === 'LibreOffice Calc' ? SHEET : FORM;
  it.for(IN_ORDER.filter((command) => checks[command] !== undefined))('%s', async (command, context) => {
    if (!isInstalled(kind)) results.skip(context, kind.toolkit, command, `${kind.program} is not installed`);
    const row = await results.run(kind.toolkit, command, async () => {
      if (reader === undefined) throw new Error(`${kind.toolkit} did not start`);
      await checks[command]?.(reader);
    });
    const accepted = command in READING_CHECKS ? ['works'] : ['works', 'refused'];
    expect(accepted).toContain(row.outcome);
  });
});

function placeOf(command: Command): number {
  if (command in READING_CHECKS) return 0;
  return command in WINDOW_CHECKS ? 2 : 1;
}
