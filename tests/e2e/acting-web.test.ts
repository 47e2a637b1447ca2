import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usePlace } from './harness.ts';
import { ListedWindows } from './support/answers.ts';
import { Reader } from './support/reader.ts';
import { refused, useResults } from './support/results.ts';
import { isInstalled, SUBJECTS, until } from './support/subjects.ts';

const place = usePlace();
const results = useResults('acting-web');
const BROWSERS = SUBJECTS.filter(({ toolkit }) => toolkit === 'Firefox' || toolkit === 'Chromium');

describe.each(BROWSERS)('acting on $toolkit', (kind) => {
  let started: Reader | undefined;
  const reader = (): Reader => {
    if (started === undefined) throw new Error(`${kind.toolkit} did not start`);
    return started;
  };
  const happened = (widget: string, event: string): boolean =>
    reader().subject.pageEvents?.some((each) => each.widget === widget && each.event === event) ?? false;

  beforeAll(async () => {
    if (isInstalled(kind)) started = new Reader(place(), await kind.start(place()));
  });
  afterAll(async () => {
    await started?.subject.stop();
  });

  it('click presses a button of the page', async (context) => {
    if (!isInstalled(kind)) results.skip(context, kind.toolkit, 'click', `${kind.program} is not installed`);
    const row = await results.run(kind.toolkit, 'click', async () => {
      const reply = await reader().desk('click', await reader().refOf({ role: 'button', name: 'Press' }));
      await until('the page to notice', async () => happened('press', 'clicked'));
      expect(['confirmed', 'unverified']).toContain(reply.receipt.effect);
    });
    expect(row).toMatchObject({ outcome: 'works' });
  });

  it('click toggles a check box, and says so', async ({ skip }) => {
    skip(!isInstalled(kind), `${kind.program} is not installed`);
    const reply = await reader().desk('click', await reader().refOf({ role: 'checkbox', name: 'Agree' }));
    await until('the page to notice', async () => happened('agree', 'toggled'));
    expect(reply.receipt.effect).toBe('confirmed');
  });

  it('set-value writes a field of the page, or says that it did not', async (context) => {
    if (!isInstalled(kind))
      results.skip(context, kind.toolkit, 'set-value', `${kind.program} is not installed`);
    const row = await results.run(kind.toolkit, 'set-value', async () => {
      const ref = await reader().refOf({ role: 'textbox', name: 'Name' });
      const reply = await reader().desk('set-value', ref, 'Grace');
      // Firefox answers "true" and does nothing; Chromium offers no way to write. What counts is that the page agrees with the reply.
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(happened('name', 'text-changed')).toBe(reply.exitCode === 0);
      if (reply.exitCode === 9) refused(reply, 'ACTION_NOT_SUPPORTED');
      if (reply.exitCode !== 0 && reply.receipt.effect === 'no_op') refused(reply, 'ACTION_FAILED');
      expect(reply.receipt.effect).toBe('confirmed');
    });
    expect(['works', 'refused']).toContain(row.outcome);
  });

  it('the application is alive afterwards', async ({ skip }) => {
    skip(!isInstalled(kind), `${kind.program} is not installed`);
    const { windows } = (await reader().desk('list-windows', '--app', reader().app)).ok(ListedWindows);
    expect(windows).toMatchObject([{ accessible: true }]);
  });
});
