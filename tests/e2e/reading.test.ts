import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { READING_COMMANDS } from '../../scripts/compatibility/rows.ts';
import { usePlace } from './harness.ts';
import { Reader } from './support/reader.ts';
import { READING_CHECKS } from './support/reading-checks.ts';
import { useResults } from './support/results.ts';
import { isInstalled, SUBJECTS } from './support/subjects.ts';

const place = usePlace();
const results = useResults('reading');

describe.each(SUBJECTS)('$toolkit', (kind) => {
  let reader: Reader | undefined;
  beforeAll(async () => {
    if (isInstalled(kind)) reader = new Reader(place(), await kind.start(place()));
  });
  afterAll(async () => {
    await reader?.subject.stop();
  });

  it.for(READING_COMMANDS)('%s', async (command, context) => {
    if (!isInstalled(kind)) results.skip(context, kind.toolkit, command, `${kind.program} is not installed`);
    const row = await results.run(kind.toolkit, command, async () => {
      if (reader === undefined) throw new Error(`${kind.toolkit} did not start`);
      await READING_CHECKS[command](reader);
    });
    expect(row).toMatchObject({ outcome: 'works' });
  });
});
