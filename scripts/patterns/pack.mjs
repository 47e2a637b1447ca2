/**
 * Packs what collect.mjs wrote: the labelled screens with their labels, without the names of this machine, split into two halves by application.
 *
 *     node scripts/patterns/pack.mjs LABELS.json OUT [FOLDER…]
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [labelsFile, out, ...folders] = process.argv.slice(2);
const labels = JSON.parse(readFileSync(labelsFile, 'utf8'));

const RENAMED = [
  [/\/tmp\/[a-z0-9]+\/xp\/u\d/g, '/home/user'],
  [/\/work\/wt\/[a-z0-9]+/g, '/home/user/work'],
  [/\bu\d\b/g, 'user'],
  [/\bxpl\b/g, 'work'],
  [new RegExp(`\\b${hostname()}\\b`, 'g'), 'host'],
  [/\broot@/g, 'user@'],
  [/"(ref|source)":"[^"]*",?/g, ''],
];

function anonymous(text) {
  return RENAMED.reduce((changed, [what, by]) => changed.replaceAll(what, by), text).replaceAll(',}', '}');
}

/** The parts of one office suite are one application. */
const programOf = (app) => app.replace(/^(libreoffice)-.*/, '$1');

function lotOf(seed, app) {
  return Number.parseInt(
    createHash('sha256')
      .update(`${seed} ${programOf(app)}`)
      .digest('hex')
      .slice(0, 8),
    16,
  );
}

const screens = labels.map(({ id, from = id, ...rest }) => {
  const folder = folders.findLast((one) => existsSync(join(one, `${from}.json`)));
  if (folder === undefined) throw new Error(`${id} was not collected`);
  const { app, toolkit, title, tree } = JSON.parse(
    anonymous(readFileSync(join(folder, `${from}.json`), 'utf8')),
  );
  return { id, app, toolkit, title, ...rest, tree };
});

/** Collected later, for measuring anew what the first measurement had found wanting. */
const first = screens.filter(({ half }) => half === undefined);

/** The screens of an application are in the same half, and every pattern has at least 40 % of its screens in each: the first seed with which that holds. */
function split() {
  const patterns = [...new Set(first.flatMap((screen) => screen.patterns))];
  for (let seed = 1; seed < 1_000_000; seed += 1) {
    const held = first.filter(({ app }) => lotOf(seed, app) % 2 === 1);
    const isEven = patterns.every((pattern) => {
      const all = first.filter((screen) => screen.patterns.includes(pattern)).length;
      const share = held.filter((screen) => screen.patterns.includes(pattern)).length / all;
      return share >= 0.4 && share <= 0.6;
    });
    if (isEven && Math.abs(held.length / first.length - 0.5) < 0.06) return { seed, held };
  }
  throw new Error('no seed splits the patterns evenly');
}

const { seed, held } = split();
const lines = screens.map((screen) =>
  JSON.stringify({ ...screen, half: screen.half ?? (held.includes(screen) ? 'held_out' : 'seen') }),
);
writeFileSync(join(out, 'screens.jsonl.gz'), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
const names = (half) => [...new Set(half.map(({ app }) => app))].join(' ');
process.stdout.write(
  `seed ${seed}: ${screens.length} screens of ${new Set(screens.map(({ app }) => app)).size} applications, ${held.length} held out\nheld out: ${names(held)}\nseen: ${names(screens.filter((screen) => !held.includes(screen)))}\n`,
);
for (const pattern of new Set(screens.flatMap((screen) => screen.patterns)))
  process.stdout.write(
    `${pattern} ${screens.filter((screen) => screen.patterns.includes(pattern)).length} (${held.filter((screen) => screen.patterns.includes(pattern)).length} held out)\n`,
  );
