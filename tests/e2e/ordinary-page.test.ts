import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { usePlace } from './harness.ts';
import { Found, Snapshot } from './support/answers.ts';
import { useOrdinaryPage } from './support/ordinary-page.ts';
import type { Reply } from './support/reply.ts';
import { until } from '../until.ts';

const place = usePlace();

/** How a click was refused, or what the receipt says of it. */
function outcomeOf(reply: Reply): string {
  if (reply.exitCode === 0) {
    const { effect, via } = reply.receipt;
    return `${effect} by ${via.includes('pointer:') ? 'pointer' : via}`;
  }
  const code = reply.stdout.includes('is covered by') ? 'NOT_ACTIONABLE' : 'ACTION_NOT_SUPPORTED';
  return `${code}, delivered: ${reply.error(code).delivered}`;
}

describe.each(['firefox-esr', 'chromium'])('an ordinary page in %s', (program) => {
  const isThere = existsSync(`/usr/bin/${program}`);
  const app = useOrdinaryPage(place, program, isThere);

  it.skipIf(!isThere)('is told of what is entered and chosen, as by hand', async () => {
    const amount = (await app().desk('set-value', await app().ref('Amount', 'spinbutton'), '7')).receipt;
    expect(amount.effect).toBe('confirmed');
    await app().told('amount', 'text', (value) => value === '7');
    const phone = (await app().desk('set-value', await app().ref('Telephone', 'textbox'), '5551234')).receipt;
    expect([phone.effect, phone.evidence.join()]).toEqual([
      'confirmed',
      expect.stringContaining('"555 123 4"'),
    ]);
    await app().told('phone', 'text', (value) => value === '555 123 4');
    const secret = (await app().desk('set-value', await app().ref('Secret', 'textbox'), 'open sesame'))
      .receipt;
    expect(secret.effect).toBe('confirmed');
    await app().told('secret', 'text', (value) => value === 'open sesame');
    expect((await app().desk('select', await app().ref('Olives', 'listitem'))).receipt.effect).toBe(
      'confirmed',
    );
    await app().told('toppings', 'text', (value) => value === 'Olives');
    const kind = await app().ref('Kind', 'combobox');
    for (const option of ['Medium', 'Large']) {
      expect((await app().desk('select', kind, option)).receipt.effect).toBe('confirmed');
      await app().told('kind', 'selected', (value) => value === option);
    }
  });

  it.skipIf(!isThere)(
    'takes what is typed, also when a button beside its address has the focus',
    async () => {
      const phone = await app().ref('Telephone', 'textbox');
      expect((await app().desk('click', phone)).receipt.effect).toBe('confirmed');
      // The field in the page may go on saying that it has the focus.
      for (const keys of ['ctrl+l', 'shift+Tab']) await app().onApp('press', keys);
      expect((await app().desk('set-value', phone, '5559876')).receipt.effect).toBe('confirmed');
      await app().told('phone', 'text', (value) => value === '555 987 6');
    },
  );

  it.skipIf(!isThere || program !== 'chromium')(
    'has title bar buttons of its own, which are not covered',
    async () => {
      for (const name of ['Maximize', 'Restore']) {
        const { effect } = (await app().desk('click', await app().ref(name, 'button'))).receipt;
        expect([name, effect]).toEqual([name, 'confirmed']);
      }
    },
  );

  it.skipIf(!isThere)(
    'has buttons under transparent layers, which are not pressed through them',
    async () => {
      // The second layer has no listener, no role and no id: Chromium has no element for it.
      for (const [name, isTold] of [
        ['Covered', true],
        ['Veiled', program !== 'chromium'],
      ] as const)
        for (const mode of ['', 'background', 'pointer']) {
          // It is waited for until it is uncovered.
          const how = [...(isTold ? ['--timeout', '1500'] : []), ...(mode === '' ? [] : ['--mode', mode])];
          const reply = await app().desk('click', await app().ref(name, 'button'), ...how);
          // The pointer hits the layer, as a person does, and nothing comes of it.
          const otherwise =
            mode === 'background' ? 'ACTION_NOT_SUPPORTED, delivered: false' : 'unverified by pointer';
          const wanted = isTold ? 'NOT_ACTIONABLE, delivered: false' : otherwise;
          expect([name, mode, outcomeOf(reply)]).toEqual([name, mode, wanted]);
        }
      // Inside a frame, hit tests still end at the element.
      await app().desk('click', await app().ref('Inner button', 'button'), '--mode', 'background');
      await app().told('inner', 'clicked', (value) => value === null);
      expect([app().times('covered', 'clicked'), app().times('veiled', 'clicked')]).toEqual([0, 0]);
    },
  );

  it.skipIf(!isThere)('opens a combo box of its own, and the page hears of it', async () => {
    const kind = await app().ref('Kind', 'combobox');
    for (const [act, via, exitCode] of [
      ['expand', 'at-spi:Action.DoAction(open)', 0],
      ['collapse', 'pointer:', 1],
    ] as const) {
      const before = app().times('kind', 'clicked');
      const { receipt } = await app().desk(act, kind);
      expect([act, receipt.via]).toEqual([act, expect.stringContaining(via)]);
      await until(async () => app().times('kind', 'clicked') === before + 1, `${act} to click once`);
      expect((await app().desk('is', 'expanded', kind)).exitCode).toBe(exitCode);
    }
  });

  it.skipIf(!isThere || program !== 'firefox-esr')('is in a window whose menus open', async () => {
    const edit =
      (await app().onApp('find', 'Edit', '--whole-tree', '--exact')).ok(Found).matches[0]?.ref ?? '';
    const isOpen = async (): Promise<boolean> =>
      (await app().onApp('find', 'Select All', '--exact')).ok(Found).matches.length > 0;
    for (const act of ['click', 'expand']) {
      const { receipt } = await app().desk(act, edit);
      expect([act, receipt.via, await isOpen()]).toEqual([act, 'at-spi:Action.DoAction(click)', true]);
      await app().onApp('press', 'Escape');
    }
  });

  it.skipIf(!isThere)('is read where another has scrolled it to', async () => {
    const shown = async (): Promise<boolean[]> => {
      const { tree } = (await app().onApp('snapshot', '--max-tokens', '100000')).ok(Snapshot);
      return ['"Last button"', '"Fields"'].map((name) => JSON.stringify(tree).includes(`"name":${name}`));
    };
    await place().run('xdotool', ['mousemove', '30', '500']);
    for (const [button, expected] of [
      ['5', [true, false]],
      ['4', [false, true]],
      ['5', [true, false]],
      ['4', [false, true]],
    ] as const) {
      await place().run('xdotool', ['click', '--repeat', '60', '--delay', '8', button]);
      await expect.poll(shown, { timeout: 10_000 }).toStrictEqual([...expected]);
    }
  });

  it.skipIf(!isThere)('is read with the text beside its elements, and is seen to scroll', async () => {
    for (const text of ['Sticky bar', 'Panel one']) {
      const { matches } = (await app().onApp('find', text, '--exact')).ok(Found);
      expect([text, matches.length > 0]).toEqual([text, true]);
    }
    for (const [direction, isIt] of [
      ['down', (value: unknown) => Number(value) > 1000],
      ['up', (value: unknown) => value === 0],
    ] as const) {
      const { effect, evidence } = (await app().onApp('scroll', direction, '--amount', '3000')).receipt;
      expect([direction, effect, evidence.join()]).toEqual([
        direction,
        'confirmed',
        expect.stringMatching(/elements moved/),
      ]);
      await app().told('page', 'scrolled', isIt);
    }
    expect((await app().onApp('scroll', 'up')).error('ACTION_FAILED').message).toContain(
      'it may be at its end',
    );
  });
});
