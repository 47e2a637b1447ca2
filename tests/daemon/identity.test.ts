import { expect, it } from 'vitest';
import { manifest } from '../../src/cli/manifest.generated.ts';
import { useLab } from './support.ts';
import { masked } from './masked.ts';

const lab = useLab();

/** Nothing listens there: both ways must fail alike, and neither may start a desktop. */
const NOWHERE = { DISPLAY: ':9876', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };

/** They say where they are carried out. */
const DIFFERENT = /^(?:status|daemon|session)\b/;

const lines: string[][] = manifest.commands
  .filter(({ name }) => !DIFFERENT.test(name))
  .flatMap(({ name, examples, runsIn }) => {
    const words = name.split(' ');
    const wrong = [
      [...words, '--no-such-flag'],
      [...words, 'one', 'two', 'three', 'four'],
      [...words, '--timeout', '0'],
    ];
    if (runsIn === 'client') return wrong;
    // Examples whose arguments are plain words; a launch would start something.
    const plain = examples.map(({ line }) => line.split(' ').slice(1));
    const good = name === 'launch' ? [['launch', 'no-such-program']] : plain.filter(isPlain);
    return [...good, ...wrong, ['--format', 'text', ...(good[0] ?? words)]];
  });

const odd: string[][] = [
  ['no-such-command'],
  ['find', 'x'.repeat(100_000)],
  ['set-value', '@e1', '\u202E\u0007'],
  ['get', 'text', '@e0'],
  ['snapshot', '--session', '../..'],
  ['screenshot', '--output', '/nonexistent/x.png'],
  ['version', '--format', 'outline'],
  ['version', '--format', 'quiet'],
  ['version', '--pretty'],
  ['wait', '50'],
];

it.each([...lines, ...odd].map((line) => [line.map((word) => word.slice(0, 40)).join(' '), line] as const))(
  'desk %s',
  async (_, line) => {
    const viaDaemon = await lab().desk(line, { ...NOWHERE, DESKTERITY_SESSION: 'one' });
    const inProcess = await lab().desk(['--no-daemon', ...line], {
      ...NOWHERE,
      DESKTERITY_SESSION: 'one',
    });
    expect(masked(viaDaemon)).toEqual(masked(inProcess));
  },
  60_000,
);

function isPlain(words: readonly string[]): boolean {
  return words.every((word) => !/['"$<|]/.test(word));
}
