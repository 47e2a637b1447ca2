import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { ActHistory } from '../../src/engine/evidence/act-history.ts';
import { click, every, pressing, STATUS } from './support/acting.ts';
import { button, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

/** Longer than what an act causes, and a tick of whatever shows seconds after that. */
const LONG_MS = 1300;

/** What applications take to react to the pointer. */
const SLOW_MS = 400;

const DEAD = button('dead', 'Dead');

async function timed(on: Stage, name = 'Go'): Promise<{ receipt: Receipt; ms: number }> {
  await refOf(on.engine, name);
  const began = on.world.clock.now();
  const receipt = await click(on, name);
  return { receipt, ms: on.world.clock.now() - began };
}

/** A window that has been quiet for long. */
async function quiet(...nodes: Parameters<typeof oneWindow>[0][number][]): Promise<Stage> {
  const on = await stage(oneWindow([{ ...STATUS }, ...nodes]));
  await refOf(on.engine, 'Go');
  await on.world.clock.sleep(LONG_MS);
  return on;
}

describe('clicks at a place in quick succession', () => {
  const at = async (on: Stage, x: number): Promise<{ receipt: Receipt; ms: number }> => {
    const began = on.world.clock.now();
    const place = { point: { x, y: 20 }, button: 'left', count: 1 } as const;
    const receipt = await on.engine.mouse.click({ deadlineMs: 10_000, ...place });
    return { receipt, ms: on.world.clock.now() - began };
  };
  const counting = (): ReturnType<typeof button> => {
    let count = 0;
    const left = (world: Stage['world']): void => world.change('app', 'status', { name: `${count++} files` });
    return button('go', 'Go', { onPointer: { left } });
  };

  it('are not watched if they hit the same place of the same element before', async () => {
    const on = await quiet(counting());
    await at(on, 20);
    await on.world.clock.sleep(LONG_MS + SLOW_MS);
    for (let turn = 0; turn < 4; turn++) {
      const { receipt, ms } = await at(on, 20);
      expect({ effect: receipt.effect, isQuick: ms < 400 }).toEqual({ effect: 'confirmed', isQuick: true });
    }
  });

  it('are known after a few, without a pause between them', async () => {
    const on = await quiet(counting());
    const times = [];
    for (let turn = 0; turn < 8; turn++) {
      const { receipt, ms } = await at(on, 20 + (turn % 2));
      expect(receipt.effect).toBe('confirmed');
      times.push(ms);
    }
    expect(Math.max(...times.slice(4))).toBeLessThan(400);
  });

  it('confirm no dead button by a clock that the same click has started before', async () => {
    const beatMs = 700;
    const left = (world: Stage['world']): void => {
      for (let beat = 1; beat < 6; beat++)
        world.clock.after(beat * beatMs, () => world.change('app', 'status', { name: `${beat} s` }));
    };
    const on = await quiet(button('go', 'Go', { onPointer: { left } }), button('none', 'None'));
    const dead = { point: { x: 20, y: 60 }, button: 'left', count: 1 } as const;
    for (let turn = 0; turn < 3; turn++) {
      const began = on.world.clock.now();
      await at(on, 20);
      // It is watched for a second, so the second tick is the next.
      await on.world.clock.sleep(Math.max(0, 2 * beatMs - 15 - (on.world.clock.now() - began)));
      const { effect, via } = await on.engine.mouse.click({ deadlineMs: 10_000, ...dead });
      expect({ effect, via }).toEqual({ effect: 'unverified', via: expect.stringContaining('"None"') });
      await on.world.clock.sleep(6 * beatMs);
    }
  });

  it('are watched at another place of it', async () => {
    const on = await quiet(counting());
    await at(on, 20);
    await on.world.clock.sleep(LONG_MS + SLOW_MS);
    await at(on, 30);
    expect((await at(on, 40)).ms).toBeGreaterThan(400);
  });
});

describe('acts in quick succession', () => {
  it('are not watched if they changed the same before and it stayed as it was', async () => {
    let count = 0;
    const on = await quiet(pressing((world) => world.change('app', 'status', { name: `${count++} files` })));
    await timed(on);
    await on.world.clock.sleep(LONG_MS);
    const times = [];
    for (let turn = 0; turn < 4; turn++) {
      const { receipt, ms } = await timed(on);
      expect(receipt.effect).toBe('confirmed');
      times.push(ms);
      await on.world.clock.sleep(200);
    }
    expect(Math.max(...times)).toBeLessThan(60);
  });

  it('are known one by one if they followed one another closely', async () => {
    const shows = (id: string): ReturnType<typeof button> =>
      button(id, id, { onPress: (world) => world.change('app', 'status', { name: id }) });
    const on = await quiet(
      pressing(() => undefined),
      shows('7'),
      shows('8'),
    );
    for (const name of ['7', '8']) expect((await timed(on, name)).receipt.effect).toBe('confirmed');
    await on.world.clock.sleep(LONG_MS);
    for (const name of ['7', '8', '7', '8']) {
      const { receipt, ms } = await timed(on, name);
      expect({ effect: receipt.effect, isQuick: ms < 200 }).toEqual({ effect: 'confirmed', isQuick: true });
    }
  });

  it('confirm no dead button by a clock that the first of them started', async () => {
    const on = await quiet(
      pressing((world) => {
        world.change('app', 'go', { name: 'Stop' });
        every(world, 1000, 1000, (beat) => world.change('app', 'status', { name: `${beat} s` }));
      }),
      button('other', 'Other', { onPress: (world) => world.change('app', 'other', { name: 'Else' }) }),
      DEAD,
    );
    const began = on.world.clock.now();
    expect((await click(on)).effect).toBe('confirmed');
    await on.world.clock.sleep(400);
    expect((await click(on, 'Other')).effect).toBe('confirmed');
    await on.world.clock.sleep(Math.max(0, 985 - (on.world.clock.now() - began)));
    expect((await click(on, 'Dead')).effect).toBe('unverified');
  });

  it('confirm no dead button by a clock that the same act has started before', async () => {
    const beatMs = 700;
    const on = await quiet(
      pressing((world) => {
        for (let beat = 1; beat < 5; beat++)
          world.clock.after(beat * beatMs, () => world.change('app', 'status', { name: `${beat} s` }));
      }),
      DEAD,
    );
    for (let turn = 0; turn < 3; turn++) {
      const began = on.world.clock.now();
      await click(on);
      // The act itself is watched for a second, so the second tick is the next.
      await on.world.clock.sleep(Math.max(0, 2 * beatMs - 15 - (on.world.clock.now() - began)));
      expect((await click(on, 'Dead')).effect).toBe('unverified');
      await on.world.clock.sleep(5 * beatMs);
    }
  });
});

describe('the history of acts', () => {
  const [act, other, label] = ['click :1.0 /1', 'click :1.0 /2', ':1.0 /label'];
  const between = { fromMs: 0, toMs: 100_000 };

  function carriedOut(history: ActHistory, key: string | undefined, atMs: number): void {
    history.began(key, atMs);
    history.ended(atMs + 200);
  }

  it('suspects an act until the application was left alone after it', () => {
    const history = new ActHistory();
    carriedOut(history, act, 1000);
    expect(history.suspects(label, between)).toEqual([1000]);
    carriedOut(history, act, 2000);
    expect(history.suspects(label, between)).toEqual([1000, 2000]);
    carriedOut(history, act, 4000);
    carriedOut(history, other, 4500);
    expect(history.suspects(label, between)).toEqual([4500]);
  });

  it('suspects it of what reported something afterwards, until three chains left that alone', () => {
    const history = new ActHistory();
    carriedOut(history, act, 1000);
    history.reported(label, 2000);
    for (const atMs of [4000, 8000, 12_000]) {
      carriedOut(history, act, atMs);
      carriedOut(history, act, atMs + 500);
      expect(history.suspects(label, between)).toEqual([atMs, atMs + 500]);
      expect(history.suspects(':1.0 /else', between)).toEqual([]);
    }
    carriedOut(history, act, 16_000);
    expect(history.suspects(label, between)).toEqual([]);
  });

  it('goes on suspecting what starts and stops a clock in turn', () => {
    const history = new ActHistory();
    for (let turn = 0; turn < 6; turn++) {
      const startedAt = 1000 + turn * 10_000;
      carriedOut(history, act, startedAt);
      expect(history.suspects(label, between)).toEqual([startedAt]);
      history.reported(label, startedAt + 1000);
      carriedOut(history, act, startedAt + 5000);
      expect(history.suspects(label, between)).toEqual([startedAt + 5000]);
    }
  });

  it('explains a report by an act that has caused one before', () => {
    const history = new ActHistory();
    history.began(act, 1000);
    history.reported(label, 1050);
    history.ended(1200);
    carriedOut(history, act, 4000);
    expect([history.explains(label, 4100), history.explains(label, 4300)]).toEqual([true, false]);
    expect(history.explains(':1.0 /else', 4100)).toBe(false);
  });

  it('trusts no act whose end was not seen, and none before it', () => {
    const history = new ActHistory();
    carriedOut(history, act, 1000);
    history.began(other, 1500);
    carriedOut(history, undefined, 5000);
    carriedOut(history, act, 9000);
    carriedOut(history, other, 9300);
    expect(history.suspects(label, between)).toEqual([9000, 9300]);
  });

  it('trusts no act that may do something else the next time', () => {
    const history = new ActHistory();
    for (const atMs of [1000, 4000, 8000]) carriedOut(history, undefined, atMs);
    expect(history.suspects(label, between)).toEqual([8000]);
  });
});

describe('an act that showed nothing, although the application reacted', () => {
  /** A key of a calculator that writes what is shown already. */
  const rewriting = pressing((world) => world.emit('app', 'status', 'text-changed', 'insert'));
  it('is watched to its end once, and not again', async () => {
    const on = await quiet(rewriting);
    const first = await timed(on);
    expect(first.receipt.effect).toBe('unverified');
    expect(first.ms).toBeGreaterThan(900);
    await on.world.clock.sleep(LONG_MS);
    const second = await timed(on);
    expect(second.receipt.effect).toBe('unverified');
    expect(second.ms).toBeLessThan(200);
  });

  it('is watched again if the application does not react', async () => {
    let turn = 0;
    const on = await quiet(
      pressing((world) => turn++ === 0 && world.emit('app', 'status', 'text-changed', 'insert')),
    );
    await timed(on);
    await on.world.clock.sleep(LONG_MS);
    expect((await timed(on)).ms).toBeGreaterThan(900);
  });

  it('is confirmed if it shows something, and is watched the next time', async () => {
    let turn = 0;
    const on = await quiet(
      pressing((world) => {
        world.emit('app', 'status', 'text-changed', 'insert');
        if (turn++ === 1) world.change('app', 'status', { name: 'Done' });
      }),
    );
    await timed(on);
    await on.world.clock.sleep(LONG_MS);
    expect((await timed(on)).receipt.effect).toBe('confirmed');
    await on.world.clock.sleep(LONG_MS);
    expect((await timed(on)).ms).toBeGreaterThan(900);
  });
});
