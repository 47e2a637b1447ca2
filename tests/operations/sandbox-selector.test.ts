import { describe, expect, it } from 'vitest';
import { SandboxSelector, type MethodChoice } from '../../src/operations/confinement/sandbox-selector.ts';
import { spelledFailure } from '../spelled.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { SandboxFinding, SandboxLevel } from '../../src/ports/sandbox.ts';

type Finding = Pick<SandboxFinding, 'works' | 'reason' | 'instruction'>;

const WORKS: Finding = { works: true };
const NO_LANDLOCK: Finding = {
  works: false,
  reason: 'Landlock ABI 4 cannot prevent programs from sending signals to others; ABI 6 can.',
  instruction: 'Use Linux 6.12 or newer.',
};
const NO_BUBBLEWRAP: Finding = {
  works: false,
  reason: 'bubblewrap is not installed.',
  instruction: 'Install the package "bubblewrap".',
};
const UNAVAILABLE = new DeskterityError('SANDBOX_UNAVAILABLE', 'as the holder says it', { suggestion: '' });

interface Machine {
  readonly landlock: Finding;
  readonly bubblewrap: Finding;
  readonly isNested?: boolean;
}

/** A machine on which starts fail by what does not work there, and how often it was looked at. */
function machine({ isNested = false, ...works }: Machine) {
  const level: SandboxLevel = {
    sandboxes: [
      { name: 'landlock', title: 'Landlock', leavesOpen: '', ...works.landlock },
      { name: 'bubblewrap', title: 'bubblewrap', leavesOpen: '', ...works.bubblewrap },
    ],
    system: `Linux 6.1.0, Landlock ABI ${works.landlock.works ? 7 : 4}`,
    isNested,
  };
  const seen = { looks: 0, starts: [] as string[] };
  const sandboxes = new SandboxSelector(() =>
    Promise.resolve({
      preferred: 'landlock',
      isSystemFolder: () => false,
      environment: () => Promise.reject(new Error('not asked for')),
      programs: () => Promise.reject(new Error('not asked for')),
      level: async () => {
        seen.looks += 1;
        return Promise.resolve(level);
      },
    }),
  );
  const start = async ({ asked, isOpen = true }: Partial<MethodChoice> & Pick<MethodChoice, 'asked'>) =>
    sandboxes.run({ asked, isOpen }, async (substitute) => {
      const by = asked.map((one) => substitute(one));
      seen.starts.push(by.join());
      const failing = by.some((one) => one !== 'none' && !works[one].works);
      return failing ? Promise.reject(UNAVAILABLE) : Promise.resolve(by.join());
    });
  return { seen, start, sandboxes };
}

describe('the sandbox if none was chosen', () => {
  it('is Landlock, without any detection', async () => {
    const { seen, start } = machine({ landlock: WORKS, bubblewrap: WORKS });
    expect(await start({ asked: ['landlock', 'bubblewrap'] })).toBe('landlock,bubblewrap');
    expect(seen).toEqual({ looks: 0, starts: ['landlock,bubblewrap'] });
  });

  it('is bubblewrap if Landlock does not work, and is remembered', async () => {
    const { seen, start } = machine({ landlock: NO_LANDLOCK, bubblewrap: WORKS });
    expect(await start({ asked: ['landlock', 'bubblewrap'] })).toBe('bubblewrap,bubblewrap');
    expect(await start({ asked: ['landlock'] })).toBe('bubblewrap');
    expect(await start({ asked: ['none'] })).toBe('none');
    expect(seen).toEqual({
      looks: 1,
      starts: ['landlock,bubblewrap', 'bubblewrap,bubblewrap', 'bubblewrap', 'none'],
    });
  });

  it('is none if neither works, with the findings and suggestions', async () => {
    const { seen, start } = machine({ landlock: NO_LANDLOCK, bubblewrap: NO_BUBBLEWRAP, isNested: true });
    const failed: unknown = await spelledFailure(start({ asked: ['landlock'] })).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: `Programs cannot be confined here (Linux 6.1.0, Landlock ABI 4). ${NO_LANDLOCK.reason} ${NO_BUBBLEWRAP.reason}`,
      suggestion:
        'Use Linux 6.12 or newer. Or: Install the package "bubblewrap". Deskterity itself runs in a sandbox, which may be the cause. ' +
        'Without a sandbox, programs can read, change and delete everything that this user can. Use --no-sandbox if that is acceptable.',
      cause: UNAVAILABLE,
    });
    expect(seen.starts).toEqual(['landlock']);
  });

  it('is not bubblewrap if something else failed', async () => {
    const { sandboxes, seen } = machine({ landlock: WORKS, bubblewrap: WORKS });
    const step = () => Promise.reject(UNAVAILABLE);
    await expect(sandboxes.run({ asked: ['landlock'], isOpen: true }, step)).rejects.toBe(UNAVAILABLE);
    expect(seen.looks).toBe(1);
  });

  it('does not change after other failures', async () => {
    const { sandboxes, seen } = machine({ landlock: NO_LANDLOCK, bubblewrap: WORKS });
    const missing = new DeskterityError('ACTION_FAILED', 'The program was not found.', { suggestion: '' });
    const choice = { asked: ['landlock'], isOpen: true } as const;
    await expect(sandboxes.run(choice, () => Promise.reject(missing))).rejects.toBe(missing);
    expect(seen.looks).toBe(0);
  });

  it('detects once for many concurrent failures', async () => {
    const { seen, start } = machine({ landlock: NO_LANDLOCK, bubblewrap: WORKS });
    await Promise.all(Array.from({ length: 9 }, async () => start({ asked: ['landlock'] })));
    expect(seen.looks).toBe(1);
  });
});

describe('a chosen sandbox', () => {
  it.each([
    [{ landlock: NO_LANDLOCK, bubblewrap: WORKS }, 'landlock', false, 'bubblewrap works here'],
    [{ landlock: WORKS, bubblewrap: NO_BUBBLEWRAP }, 'bubblewrap', false, 'Landlock works here'],
    // A tool file asks for it.
    [{ landlock: WORKS, bubblewrap: NO_BUBBLEWRAP }, 'bubblewrap', true, 'Landlock works here'],
  ] as const)('is not replaced: %#', async (found, asked, isOpen, hint) => {
    const { seen, start } = machine(found);
    const failed: unknown = await start({ asked: [asked], isOpen }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining(found[asked].reason ?? 'nothing'),
      suggestion: expect.stringContaining(hint),
    });
    expect(seen.starts).toEqual([asked]);
  });
});
