import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURE_KINDS, startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { parseKey, parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { FakeInput } from '../../../src/platform/linux/display/x11/input/fake-input.ts';
import { Keyboard } from '../../../src/platform/linux/display/x11/input/keyboard/keyboard.ts';
import type { TypeOptions } from '../../../src/platform/linux/display/x11/input/keyboard/keyboard.ts';
import { KeyboardStage } from './keyboard-stage.ts';
import { until } from '../../until.ts';

const ASCII = 'The quick Brown fox, 12345! (x) '.repeat(10);
const UNICODE = 'zażółć gęślą jaźń — 日本語 Ж€ 😀🎉 👩‍👩‍👧 שלום e\u{301}';
/** More than there are spare keycodes. */
const DISTINCT = Array.from({ length: 60 }, (_, index) => String.fromCodePoint(0x4e00 + index * 37)).join('');
const CAPS_LOCK = 2;
const NUM_LOCK = 16;

/** The initial state: layouts, active group, locked modifiers. */
const KEYBOARDS = [
  ['us', 0, 0],
  ['us', 0, CAPS_LOCK | NUM_LOCK],
  ['de', 0, 0],
  ['fr', 0, CAPS_LOCK],
  ['ru', 0, 0],
  ['us,ru', 1, 0],
  ['us,ru', 1, CAPS_LOCK],
] as const;

const atOnce: TypeOptions = { delayMs: 0, beforeBatch: async () => undefined };

describe('the keyboard of an X display', () => {
  let stage: KeyboardStage;
  const fixtures: Fixture[] = [];

  beforeAll(async () => {
    stage = await KeyboardStage.start();
    const options = { environment: stage.desktop.environment, deadlineMs: 30_000 };
    fixtures.push(...(await Promise.all(FIXTURE_KINDS.map((kind) => startFixture(kind, options)))));
  });
  afterAll(async () => {
    await Promise.all(fixtures.map((fixture) => fixture.stop()));
    await stage.stop();
  });
  afterEach(async () => {
    await stage.layout('us');
  });

  const [gtk] = FIXTURE_KINDS;
  const fixture = (kind: string = gtk): Fixture => {
    const found = fixtures.find((one) => one.kind === kind);
    if (!found) throw new Error(`no ${kind}`);
    return found;
  };

  it.each(KEYBOARDS)('types any text under %s, group %i, locks %i', async (layouts, group, locks) => {
    await stage.layout(layouts, group);
    await stage.lock(locks);
    const before = stage.mapping();
    for (const receiver of fixtures) {
      await stage.focus(receiver);
      // In the Qt fixtures Tab leaves the text area.
      const tab = receiver.kind.startsWith('gtk') ? '\t' : '';
      const text = `${ASCII}\n${tab}${UNICODE}\r\n${DISTINCT}`;
      const expected = `${ASCII}\n${tab}${UNICODE}\n${DISTINCT}`;
      const counts: number[] = [];
      await stage.keyboard.type(text, { ...atOnce, onTyped: (count) => counts.push(count) });
      expect(await stage.text(receiver, expected), `text of ${receiver.kind}`).toBe(expected);
      expect(counts.at(-1)).toBe(Array.from(text).length);
    }
    expect(stage.mapping()).toBe(before);
    expect(await stage.state()).toEqual({ group, lockedMods: locks, baseMods: 0 });
  });

  it.each(FIXTURE_KINDS)('presses combinations that %s understands under any layout', async (kind) => {
    const receiver = fixture(kind);
    for (const [layouts, group] of [
      ['us', 0],
      ['ru', 0],
      ['us,ru', 1],
    ] as const) {
      await stage.layout(layouts, group);
      const before = stage.mapping();
      await stage.focus(receiver);
      await stage.lock(CAPS_LOCK);
      await stage.keyboard.type('first', atOnce);
      await stage.keyboard.press(parseKeyCombination('ctrl+a'));
      await stage.keyboard.press(parseKeyCombination('ctrl+c'));
      await stage.keyboard.type('x', atOnce);
      await stage.keyboard.press(parseKeyCombination('ctrl+v'));
      await stage.keyboard.press(parseKeyCombination('Home'));
      await stage.keyboard.press(parseKeyCombination('shift+ArrowRight'));
      await stage.keyboard.press(parseKeyCombination('Delete'));
      await stage.keyboard.press(parseKeyCombination('End'));
      for (const key of ['shift+a', 'a', '?', 'ß', 'я']) await stage.keyboard.press(parseKeyCombination(key));
      expect(await stage.text(receiver, 'firstAa?ßя'), `${kind} ${layouts}`).toBe('firstAa?ßя');
      expect(stage.mapping()).toBe(before);
      expect(await stage.state()).toMatchObject({ group, lockedMods: CAPS_LOCK, baseMods: 0 });
    }
  });

  it('holds keys until they are released, and toggles locks', async () => {
    const receiver = fixture();
    await stage.focus(receiver);
    const shift = await stage.keyboard.down(parseKey('Shift'));
    expect(await stage.state()).toMatchObject({ baseMods: 1 });
    await stage.keyboard.press(parseKeyCombination('shift+a'));
    await stage.keyboard.press(parseKeyCombination('1'));
    await stage.keyboard.type('aż', atOnce);
    expect(await stage.state()).toMatchObject({ baseMods: 1 });
    await stage.keyboard.up(shift);
    await stage.keyboard.type('a', atOnce);
    expect(await stage.text(receiver, 'A!aża')).toBe('A!aża');
    await stage.keyboard.press(parseKeyCombination('CapsLock'));
    expect(await stage.state()).toMatchObject({ baseMods: 0, lockedMods: CAPS_LOCK });
    await stage.keyboard.press(parseKeyCombination('CapsLock'));
    expect(await stage.state()).toMatchObject({ baseMods: 0, lockedMods: 0 });
    const before = stage.mapping();
    const borrowed = await stage.keyboard.down(parseKey('ж'));
    await stage.keyboard.type('я', atOnce);
    await stage.keyboard.up(borrowed);
    expect(stage.mapping()).toBe(before);
  });

  it('checks before each character when typing slowly, and stops when the check fails', async () => {
    const receiver = fixture('qt6');
    const before = stage.mapping();
    await stage.focus(receiver);
    let asked = 0;
    const typing = stage.keyboard.type('aż日c', {
      delayMs: 30,
      beforeBatch: async () => {
        asked += 1;
        if ((await stage.text(receiver, 'aż日')) === 'aż日') throw new Error('the focus is elsewhere');
      },
    });
    await expect(typing).rejects.toThrow('the focus is elsewhere');
    expect(asked).toBeGreaterThanOrEqual(4);
    expect(stage.mapping()).toBe(before);
    const stop = new AbortController();
    const stopped = stage.keyboard.type('жя'.repeat(200), {
      ...atOnce,
      signal: stop.signal,
      onTyped: () => stop.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED', delivered: true });
    expect(stage.mapping()).toBe(before);
    await expect(stage.keyboard.type('a\u{7}', atOnce)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('reports an application that reads no keys, and restores the mapping', async () => {
    const receiver = fixture('gtk4');
    const before = stage.mapping();
    await stage.focus(receiver);
    process.kill(receiver.pid, 'SIGSTOP');
    const typing = stage.keyboard.type('ż', atOnce);
    try {
      await expect(typing).rejects.toMatchObject({ code: 'APP_UNRESPONSIVE', delivered: false });
      expect(stage.mapping()).toBe(before);
    } finally {
      process.kill(receiver.pid, 'SIGCONT');
    }
  });

  /** The state after a process was killed while typing. */
  async function leaveBorrowed(): Promise<void> {
    const before = stage.mapping();
    const dying = await stage.connect();
    const keyboard = await Keyboard.open(dying, await FakeInput.open(dying, () => undefined));
    await stage.focus(fixture());
    const typing = keyboard.type('żźć', { ...atOnce, delayMs: 1_000 }).catch(() => undefined);
    await until(async () => stage.mapping() !== before, 'borrowed keys');
    dying.close();
    await typing;
    expect(stage.mapping()).not.toBe(before);
  }

  it('restores the keys that a killed process had borrowed', async () => {
    const before = stage.mapping();
    await leaveBorrowed();
    await stage.keyboard.restore();
    expect(stage.mapping()).toBe(before);
    await leaveBorrowed();
    await stage.keyboard.type('日', atOnce);
    expect(stage.mapping()).toBe(before);
  });

  it('does not touch a layout set after a killed process, and borrows rare keys if none is unused', async () => {
    const spare = stage
      .run('xmodmap', '-pke')
      .split('\n')
      .filter((line) => /^keycode +\d+ = *$/.test(line));
    await leaveBorrowed();
    stage.run('xmodmap', ...spare.flatMap((line) => ['-e', `${line} Linefeed`]));
    const before = stage.mapping();
    const receiver = fixture('qt5');
    await stage.focus(receiver);
    await stage.keyboard.type('żя日', atOnce);
    expect(await stage.text(receiver, 'żя日')).toBe('żя日');
    expect(stage.mapping()).toBe(before);
  });
});
