/**
 * `npm run test:deep`: the property tests with many more cases than in `npm test` and a new seed each time. Arguments select test files by parts
 * of their paths; without any, all run.
 */
import { randomInt } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { helpIfAsked } from './lib/arguments.mjs';
import { run } from './lib/run.mjs';
import { root } from './setup.mjs';

/** `tests/fixed-seed.ts` limits each property; some tests have several. */
const TEST_TIMEOUT_MS = 600_000;

helpIfAsked(`Usage: npm run test:deep -- [PART_OF_A_PATH…]
Runs the property tests with many more cases and a new seed, which it prints; parts of paths select files.
DESKTERITY_TEST_SEED repeats a run.`);
const seed = process.env.DESKTERITY_TEST_SEED ?? String(randomInt(2 ** 31));
const wanted = process.argv.slice(2);
const files = readdirSync(path.join(root, 'tests'), { recursive: true })
  .map((file) => path.posix.join('tests', file))
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .filter((file) => /'fast-check'|DESKTERITY_TEST_DEEP/.test(readFileSync(path.join(root, file), 'utf8')));
console.log(`seed ${seed}; to repeat: DESKTERITY_TEST_SEED=${seed} npm run test:deep`);
const vitest = [
  path.join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project=unit',
  '--project=daemon',
];
const { code } = await run(process.execPath, [...vitest, `--testTimeout=${TEST_TIMEOUT_MS}`, ...files], {
  cwd: root,
  env: { ...process.env, DESKTERITY_TEST_DEEP: '1', DESKTERITY_TEST_SEED: seed, NO_COLOR: '1' },
  onLine: (line) => console.log(line),
});
if (code !== 0) console.log(`failed with seed ${seed}`);
process.exitCode = code;
