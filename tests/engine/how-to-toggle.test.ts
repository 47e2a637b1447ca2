import { expect, it } from 'vitest';
import { spelled } from '../spelled.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage } from './support/stage.ts';

const BOUNDS = { x: 10, y: 10, width: 80, height: 30 };

it.each([undefined, 'pointer', 'focus'] as const)(
  'what no mode can toggle is told with the commands that switch it (mode %s)',
  async (mode) => {
    const on = await stage(oneWindow([{ id: 'it', role: 'cell', name: 'It', bounds: BOUNDS }]));
    const ref = await refOf(on.engine, 'It');
    const { code, suggestion } = await failureOf(
      on.engine.act({ ...DEADLINE, ref, act: 'toggle', ...(mode === undefined ? {} : { mode }) }),
    );
    expect(code).toBe('ACTION_NOT_SUPPORTED');
    const words = spelled(suggestion);
    expect(words).toContain(`"desk click ${ref}"`);
    expect(words).toContain(`"desk press Space --ref ${ref}"`);
    // A mode that was tried leads back here.
    expect(words).not.toContain(`--mode ${mode ?? 'pointer'}`);
  },
);
