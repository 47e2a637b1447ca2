import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isSeatRefusal } from '../../../src/model/effects/seat-refusal.ts';
import { HAND_USES, type HandUse } from '../../../src/model/effects/seat.ts';
import type { ToolkitKind } from '../../../src/platform/linux/atspi/tree/toolkit.ts';
import { requireProven } from '../../../src/platform/linux/desktop/proven-seat.ts';

const TABLE = z
  .array(
    z.object({
      manager: z.string(),
      toolkit: z.string(),
      uses: z.array(z.enum(HAND_USES)),
      besideUser: z.array(z.enum(HAND_USES)),
    }),
  )
  .parse(JSON.parse(readFileSync('src/platform/linux/desktop/proven-seat.generated.json', 'utf8')));
const APPLICATIONS: readonly (readonly [key: string, kind: ToolkitKind, version: string])[] = [
  ['gtk3', 'gtk3', '3.24.38'],
  ['gtk4', 'gtk4', '4.8.3'],
  ['qt5', 'qt', '5.15.8'],
  ['qt6', 'qt', '6.4.2'],
  ['gecko', 'gecko', '153.8.0'],
  ['chromium', 'chromium', ''],
  ['java', 'java', '1.0'],
  ['other', 'other', ''],
];
const MANAGERS = [
  ['openbox', 'Openbox'],
  ['xfwm4', 'Xfwm4'],
  ['mutter', 'GNOME Shell'],
  ['mutter', 'Mutter (Muffin)'],
  ['nobody', 'Nobody'],
] as const;

interface Asked {
  readonly kind: ToolkitKind;
  readonly toolkitVersion: string;
  readonly manager: string;
  readonly isBesideUser: boolean;
  readonly use: HandUse;
}

function refusalOf({ kind, toolkitVersion, ...act }: Asked): unknown {
  const application = { name: 'notes', toolkitVersion, traits: { kind, title: kind } };
  try {
    requireProven({ application, ...act });
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a seat of our own', () => {
  it.each(MANAGERS)('is used with %s, as %s, for exactly what is proven', (managed, manager) => {
    const asked = APPLICATIONS.flatMap((each) =>
      [false, true].map((isBesideUser) => [...each, isBesideUser] as const),
    );
    for (const [toolkit, kind, toolkitVersion, isBesideUser] of asked) {
      const row = TABLE.find((each) => each.manager === managed && each.toolkit === toolkit);
      const proven: readonly HandUse[] = (isBesideUser ? row?.besideUser : row?.uses) ?? [];
      const refusals = HAND_USES.map(
        (use) => [use, refusalOf({ kind, toolkitVersion, manager, isBesideUser, use })] as const,
      );
      const refused = refusals.filter(([, refusal]) => refusal !== undefined);
      expect(refused.map(([use]) => use)).toEqual(HAND_USES.filter((use) => !proven.includes(use)));
      for (const [, refusal] of refused) {
        expect(isSeatRefusal(refusal)).toBe(true);
        expect(refusal).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
      }
    }
  });

  it('is refused without a window manager, and the error says what is not proven', () => {
    expect(() =>
      requireProven({ application: undefined, manager: undefined, use: 'drag', isBesideUser: false }),
    ).toThrow(
      /the proof does not cover drags with applications without an accessibility tree and no window manager/,
    );
  });
});
