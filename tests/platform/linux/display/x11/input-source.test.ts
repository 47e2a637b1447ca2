import { expect, it } from 'vitest';
import { InputSource } from '../../../../../src/platform/linux/display/x11/input/input-source.ts';

async function told(isHeldElsewhere: () => Promise<boolean>, presses: number) {
  const all: string[] = [];
  let asked = 0;
  const lock = {
    isHeldElsewhere: () => {
      asked += 1;
      return isHeldElsewhere();
    },
  };
  const source = new InputSource(lock, (who) => all.push(who));
  for (let press = 0; press < presses; press++) {
    source.note();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { all, asked };
}

it('asks once for a stretch of keys whether another process of ours is acting', async () => {
  expect(await told(async () => false, 4)).toEqual({ all: Array(4).fill('user'), asked: 1 });
  expect(await told(async () => true, 4)).toEqual({ all: Array(4).fill('unknown'), asked: 1 });
});

it('does not know if the display does not answer', async () => {
  expect(await told(() => Promise.reject(new Error('gone')), 1)).toEqual({ all: ['unknown'], asked: 1 });
});
