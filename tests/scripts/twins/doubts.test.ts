import { expect, it } from 'vitest';
import type { Act } from '../../../scripts/proof/twins/act/act.ts';
import type { Actor } from '../../../scripts/proof/twins/act/actor.ts';
import { mouse, quickMouse } from '../../../scripts/proof/twins/act/mouse.ts';
import { usableWidgets } from '../../../scripts/proof/twins/act/widgets.ts';
import type { Difference } from '../../../scripts/proof/twins/look/compare.ts';
import { triedAgain } from '../../../scripts/proof/twins/run/doubts.ts';
import type { Trial } from '../../../scripts/proof/twins/run/trial.ts';
import { node, pictured, seen } from './seen.ts';

const NONE = { only: [], other: [] };
const BUTTON: Difference = {
  tree: { only: ['back'], other: [] },
  windows: NONE,
  files: NONE,
  picture: undefined,
};
const SAME: Difference = { ...BUTTON, tree: NONE };

const [target] = usableWidgets(seen([node('text', 'Field')]));
if (target === undefined) throw new Error('there is a field');
const click: Act = { kind: 'click', target, more: [] };
const ours: Actor = { name: 'ours', tools: {}, prepare: async () => ({ excluded: 'never asked' }) };
const found: Trial = {
  verdict: 'false_success',
  answer: { effect: 'confirmed', route: '', words: '' },
  between: BUTTON,
  isOursChanged: true,
  twinDid: 'typed',
  shown: [],
  isUnchanged: false,
};

/** What becomes of the trial, and what was done on each new stage; `again` says what our side does there. */
async function doubted(
  trial: Trial,
  act: Act,
  again: (followed: readonly Act[]) => Trial,
  differs: {
    readonly byPointing?: Difference;
    readonly byClicking?: Difference;
    readonly byOpening?: Difference;
    readonly byWaiting?: Difference;
  } = {},
  mice: Trial[] = [],
  quick: Trial = { ...trial, verdict: 'agree', between: SAME },
): Promise<{ reason: string | undefined; pointed: unknown[] }> {
  const pointed: unknown[] = [];
  const { reason } = await triedAgain(trial, {
    act,
    actor: ours,
    trail: [click],
    open: () => {
      const followed: Act[] = [];
      return {
        follow: async (step) => {
          followed.push(step);
        },
        try: async (_act, actor) => {
          if (actor === quickMouse) return quick;
          return actor === mouse ? (mice.shift() ?? { ...trial, verdict: 'agree' }) : again(followed);
        },
        differenceByPointing: async (_act, place) => {
          pointed.push(place);
          return differs.byPointing ?? SAME;
        },
        changeByWaiting: async () => differs.byWaiting ?? SAME,
        differenceByClicking: async () => differs.byClicking ?? SAME,
        differenceByOpening: async () => differs.byOpening ?? SAME,
        end: async () => undefined,
      };
    },
  });
  return { reason, pointed };
}

const agree = (): Trial => ({ ...found, verdict: 'agree' });
const again = (): Trial => found;

it('a text is no false success if both agree once its field was clicked on both sides', async () => {
  const type: Act = { ...click, kind: 'set-value', value: 'a' };
  const onceClicked = (followed: readonly Act[]): Trial => (followed.length === 2 ? agree() : found);
  expect((await doubted(found, type, onceClicked)).reason).toBe(
    'the click into the field makes the same difference',
  );
  expect((await doubted(found, type, again)).reason).toBeUndefined();
  expect((await doubted({ ...found, verdict: 'wrong_target' }, type, onceClicked)).reason).toBeUndefined();
});

it('one agreeing repeat is chance: our own act must agree twice, and the first that does not ends it', async () => {
  const type: Act = { ...click, kind: 'set-value', value: 'a' };
  const told = async (
    trial: Trial,
    act: Act,
    answers: readonly Trial[],
  ): Promise<[string | undefined, number]> => {
    let asked = 0;
    const { reason } = await doubted(trial, act, () => answers[asked++] ?? found);
    return [reason, asked];
  };
  const [yes, no] = [agree(), found];
  const apart = { ...found, isFocusApart: true };
  const reason = 'the click into the field makes the same difference';
  expect(await told(found, type, [yes, yes])).toEqual([reason, 2]);
  expect(await told(found, type, [yes, no])).toEqual([undefined, 2]);
  expect(await told(found, type, [no, yes])).toEqual([undefined, 1]);
  expect(await told(apart, click, [yes, yes])).toEqual(['the sides began with another keyboard focus', 2]);
  expect(await told(apart, click, [yes, no])).toEqual([undefined, 2]);
  expect(await told(apart, click, [no, yes])).toEqual([undefined, 1]);
});

it('an answer that our side alone shows to be wrong needs no mouse, and is false only if nothing changes by itself', async () => {
  const lie: Trial = { ...found, isAlone: true };
  const never: Trial = { ...found, verdict: 'excluded', reason: 'the mouse did not open it' };
  const differs = { byPointing: BUTTON, byWaiting: BUTTON };
  const expand: Act = { ...click, kind: 'expand' };
  expect((await doubted(lie, expand, agree, differs, [never, never])).reason).toBeUndefined();
  const failed: Trial = {
    ...lie,
    verdict: 'false_failure',
    answer: { effect: 'failed', route: 'accessibility', words: '' },
    ourChange: BUTTON,
  };
  expect((await doubted(failed, expand, agree, differs)).reason).toBe('it changes while nobody acts');
  expect((await doubted(failed, expand, agree)).reason).toBeUndefined();
});

it('mice that are left out for the reason that was waived did the same as the twin', async () => {
  const reason = 'it opens a menu and runs nothing';
  const menu: Trial = { ...found, verdict: 'excluded', reason };
  const mice = (): Trial[] => [menu, menu, menu, menu];
  expect((await doubted({ ...found, waived: reason }, click, again, {}, mice())).reason).toBeUndefined();
  expect((await doubted(found, click, again, {}, mice())).reason).toBe('its place was not reached again');
});

it('two mice differ elsewhere if none of their squares is near, even inside the same box', async () => {
  const drawn = (...boxes: Parameters<typeof pictured>): Trial => ({
    ...found,
    between: { ...SAME, picture: pictured(...boxes) },
  });
  const bars = drawn([0, 0, 640, 16], [0, 400, 640, 16]);
  expect((await doubted(bars, click, again, {}, [drawn([300, 200, 8, 8])])).reason).toBeUndefined();
  expect((await doubted(bars, click, again, {}, [drawn([300, 16, 8, 8])])).reason).toBe(
    'unstable under the mouse',
  );
});

it('what an application changes whenever a menu opens is no effect of the item, and of nothing else', async () => {
  const menu: Act = { ...click, kind: 'menu', more: [target.key] };
  const byOpening = { byOpening: BUTTON };
  expect((await doubted(found, menu, again, byOpening)).reason).toBe(
    'opening its menu makes the same difference',
  );
  expect((await doubted(found, menu, again)).reason).toBeUndefined();
  expect((await doubted(found, click, again, byOpening)).reason).toBeUndefined();
});

it('a text that was entered in another way after a click says nothing about this one', async () => {
  const type: Act = { ...click, kind: 'set-value', value: 'a' };
  const typed = (followed: readonly Act[]): Trial =>
    followed.length === 2
      ? { ...agree(), answer: { effect: 'confirmed', route: 'keyboard', words: '' } }
      : found;
  expect((await doubted(found, type, typed)).reason).toBeUndefined();
});

it('mice that do not get there do not make an act unstable', async () => {
  const lost: Trial = { ...found, verdict: 'excluded', reason: 'the instrument failed: slow' };
  expect((await doubted(found, click, again, {}, [lost, lost])).reason).toBeUndefined();
  expect((await doubted(found, click, again, {}, [lost, lost, lost, lost])).reason).toBe(
    'its place was not reached again',
  );
  expect((await doubted(found, click, again, {}, [lost, found])).reason).toBe('unstable under the mouse');
});

it('an act is tried again from the same focus, if the sides began with another one', async () => {
  const apart = { ...found, isFocusApart: true };
  expect((await doubted(apart, click, agree)).reason).toBe('the sides began with another keyboard focus');
  expect((await doubted(apart, click, again)).reason).toBeUndefined();
  expect((await doubted(found, click, agree)).reason).toBeUndefined();
  const unverified = (): Trial => ({ ...agree(), answer: { effect: 'unverified', route: '', words: '' } });
  expect((await doubted(apart, click, unverified)).reason).toBeUndefined();
});

it('a pointer that rests where the item of a menu was may make the same difference', async () => {
  const menu: Act = { ...click, kind: 'menu', more: [target.key] };
  const restedAt = { x: 3, y: 4 };
  const byPointing = BUTTON;
  const same = await doubted({ ...found, restedAt }, menu, again, { byPointing });
  expect(same).toEqual({ reason: 'pointing at it makes the same difference', pointed: [restedAt] });
  expect((await doubted(found, menu, again, { byPointing })).reason).toBeUndefined();
});

it('what goes or comes while nobody acts is the effect of no act', async () => {
  const reason = 'it changes while nobody acts';
  const byWaiting = BUTTON;
  const lost: Trial = { ...found, verdict: 'wrong_target' };
  expect((await doubted(lost, { ...click, kind: 'press' }, again, { byWaiting })).reason).toBe(reason);
  expect((await doubted(found, click, again, { byWaiting: SAME })).reason).toBeUndefined();
  const both: Difference = { ...BUTTON, tree: { only: ['back'], other: ['forward'] } };
  expect((await doubted({ ...found, between: both }, click, again, { byWaiting })).reason).toBeUndefined();
});

it('an answer that claims too little is judged by what the twin shows: not if pointing or waiting shows the same', async () => {
  const little: Trial = {
    ...found,
    verdict: 'unverified_visible',
    answer: { effect: 'unverified', route: '', words: '' },
    between: SAME,
    twinChange: BUTTON,
  };
  expect((await doubted(little, click, again, { byPointing: BUTTON })).reason).toBe(
    'pointing at it makes the same difference',
  );
  expect((await doubted(little, click, again, { byWaiting: BUTTON })).reason).toBe(
    'it changes while nobody acts',
  );
  expect((await doubted(little, click, again)).reason).toBeUndefined();
});

it('what a quicker double click makes otherwise, too, depends on the hand', async () => {
  const twice: Act = { ...click, kind: 'double-click' };
  const reason = 'a quicker mouse makes the same difference';
  expect((await doubted(found, twice, again, {}, [], found)).reason).toBe(reason);
  expect((await doubted(found, twice, again)).reason).toBeUndefined();
  expect((await doubted(found, click, again, {}, [], found)).reason).toBeUndefined();
});

it('nor is what changed on our side while nothing was sent, if it changes by itself', async () => {
  const both: Difference = { ...BUTTON, tree: { only: ['back'], other: ['forward'] } };
  const refused = { effect: 'failed', route: '', words: 'NOT_ACTIONABLE: it is not on screen.' } as const;
  const trial: Trial = {
    ...found,
    verdict: 'false_failure',
    answer: refused,
    ourChange: BUTTON,
    between: both,
  };
  const reasonOf = async (one: Trial): Promise<string | undefined> =>
    (await doubted(one, click, () => one, { byWaiting: BUTTON })).reason;
  expect(await reasonOf(trial)).toBe('it changes while nobody acts');
  expect(await reasonOf({ ...trial, ourChange: both })).toBeUndefined();
  expect(await reasonOf({ ...trial, answer: { ...refused, route: 'pointer' } })).toBeUndefined();
});
