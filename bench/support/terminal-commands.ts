import { spawn } from 'node:child_process';

/** A command and what a terminal shows of it: the kernel turns each line feed into CR LF. */
export interface Expected {
  readonly command: string;
  readonly shown: Buffer;
  readonly exitCode: number;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz 0123456789 éß漢字😀';
const LONGEST_SHORT = 4000;
const LARGE_NUMBERS = 200_000;

/** Up to 4 kB of text over some lines, half of them without a line feed at the end; no two are the same. */
export function shortCommand(index: number): Expected {
  const letters = Array.from(LETTERS);
  const length = (index * 37) % LONGEST_SHORT;
  const text = Array.from({ length }, (_, at) =>
    at % 71 === 70 ? '\n' : letters[(at * 7 + index) % letters.length],
  ).join('');
  const all = `${index} ${text}${index % 2 === 0 ? '\n' : ''}`;
  const exitCode = index % 100;
  return { command: `printf %s '${all}'; sh -c 'exit ${exitCode}'`, shown: asShown(all), exitCode };
}

/** 1.5 MB of numbers as a terminal shows them. */
export function largeCommand(index: number): Expected {
  const first = index + 1;
  const numbers = Array.from({ length: LARGE_NUMBERS }, (_, at) => `${first + at}\n`).join('');
  return { command: `seq ${first} ${index + LARGE_NUMBERS}`, shown: asShown(numbers), exitCode: 0 };
}

function asShown(text: string): Buffer {
  return Buffer.from(text.replaceAll('\n', '\r\n'));
}

interface Spawned {
  readonly bytes: Buffer;
  readonly exitCode: number | undefined;
}

/** A plain child with a pipe. */
export async function bySpawn([program, ...args]: readonly [string, ...string[]]): Promise<Spawned> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { bytes: Buffer.concat(chunks), exitCode: exitCode ?? undefined };
}

/** The same through the pseudo-terminal of script(1), run by its shell. */
export function byScript(script: string, command: string): Promise<Spawned> {
  return bySpawn([script, '--quiet', '--return', '--command', command, '/dev/null']);
}

/** 40 rows of 120 columns, each with some colours; then it shows what is typed. */
export const FULL_SCREEN = String.raw`
import sys
out = ''.join(''.join('\x1b[3%dm%s' % ((row + part) % 8, '%010d' % (row * 12 + part)) for part in range(12)) + '\r\n' for row in range(39))
sys.stdout.write('\x1b[H\x1b[2J' + out + '\x1b[0m')
sys.stdout.flush()
for line in sys.stdin: sys.stdout.write('\x1b[40;1H' + line.strip()); sys.stdout.flush()
`;
