import { expect, it } from 'vitest';
import { manifest } from '../../src/surfaces/cli/arguments/manifest.generated.ts';
import { manual } from '../../src/surfaces/cli/printing/manual.generated.ts';
import type { ManifestCommand } from '../../src/surfaces/cli/arguments/manifest.ts';
import { useLab } from './support.ts';
import { masked } from './masked.ts';

const lab = useLab({ isShared: true });

/** Nothing listens there: both ways must fail in the same way, and neither may start a desktop. */
const NOWHERE = { DISPLAY: ':9876', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };

/** They report where they run or what was called before, hold a key that only a daemon releases, or find done what the first call did. */
const DIFFERENT =
  /^(?:status|audit|daemon|session|doctor|key-down|mouse down|operation|setup|tools|run-tool|sandboxed-shell)\b/;

/** Each line starts two processes, so only `npm run test:deep` tries all examples, each in both formats. */
const isDeep = process.env['DESKTERITY_TEST_DEEP'] !== undefined;

type Line = readonly string[];

/** Command lines that change nothing, good ones and bad ones. */
function linesOf({ name, runsIn }: ManifestCommand): Line[] {
  const words = name.split(' ');
  const wrong = [...words, '--timeout', '0'];
  if (runsIn === 'client') return [wrong];
  // Examples whose arguments are plain words; a launch would start something.
  const plain = (manual.commands[name]?.examples ?? [])
    .map(({ line }) => line.split(' ').slice(1))
    .filter(isPlain)
    .slice(0, isDeep ? Infinity : 1);
  const good = name === 'launch' ? [['launch', 'no-such-program']] : plain.map(harmless);
  const asText = ['--format', 'text', ...(good[0] ?? words)];
  if (isDeep) return [...good, wrong, asText];
  // About half of the commands in each format.
  return name.length % 2 === 0 && good.length > 0 ? good : [asText];
}

const odd: string[][] = [
  ['no-such-command'],
  ['click', '--no-such-flag'],
  ['get', 'text', 'one', 'two', 'three', 'four'],
  ['daemon', 'logs', '--no-such-flag'],
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

const commands = manifest.commands
  .filter(({ name }) => !DIFFERENT.test(name))
  .map((command) => [command.name, linesOf(command)] as const);

it.each([...commands, ['odd', odd] as const])(
  '%s says the same through the daemon as without',
  async (_, lines) => {
    const environment = { ...NOWHERE, DESKTERITY_SESSION: 'one' };
    await lab().desk(['daemon', 'start']);
    await lab().desk(['session', 'new', 'one'], environment);
    const both = lines.map(async (line) => {
      const viaDaemon = await lab().desk(line, environment);
      const inProcess = await lab().desk(['--no-daemon', ...line], environment);
      expect({ line, ...masked(viaDaemon) }).toEqual({ line, ...masked(inProcess) });
    });
    await Promise.all(both);
  },
  60_000,
);

function isPlain(words: readonly string[]): boolean {
  return words.every((word) => !/['"$<|]/.test(word));
}

/** Commands that write a file would find it on the second run. */
function harmless(words: Line): Line {
  return words[0] === 'mcp' && words[1] === 'install' ? [...words, '--dry-run'] : words;
}
