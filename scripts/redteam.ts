import { parseArgs } from 'node:util';
import { carryOut, identified, surprises } from './redteam/carry-out.ts';
import { LANES } from './redteam/groups.ts';
import { NAMES, TITLE, VALUE } from './redteam/injection.ts';
import { PASSWORD } from './redteam/passwords.ts';
import type { Row } from './redteam/row.ts';
import { repositoryFile, World } from './redteam/world.ts';

const USAGE = `Usage: npm run -s redteam [-- --json] [-- --only PART[,PART…]]

Carries out attacks on a private desktop of its own, and tells which of them were held off.
Exit code 1: an attack is open that is not stated as open, or was held off although it is.
  --json   print the rows as JSON: {rows: [{id, attack, surface, held, code, evidence}]}
  --only   only rows whose id begins so: ${LANES.flatMap((groups) => Object.keys(groups)).join(', ')}, or the id of a row`;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const wanted = values.only?.split(',') ?? [''];
const lanes = LANES.map((groups) =>
  identified(groups).filter(({ id }) => wanted.some((part) => id.startsWith(part))),
).filter((lane) => lane.length > 0);
const attacks = lanes.flat();
const rows: Row[] = [];
const begun = performance.now();

async function carryOutAll(lane: typeof attacks): Promise<Row[]> {
  const world = await World.start();
  const done: Row[] = [];
  try {
    await world.open('/usr/bin/python3', [
      repositoryFile('fixtures/redteam/victim.py'),
      JSON.stringify([
        TITLE,
        { buttons: NAMES, value: VALUE, password: PASSWORD },
        `${world.home}/victim.log`,
      ]),
    ]);
    for (const attack of lane) {
      const since = performance.now();
      const row = await carryOut(attack, world);
      done.push(row);
      rows.push(row);
      const word = row.held === null ? 'NOT TRIED' : row.held ? 'held' : 'OPEN';
      const time = `${((performance.now() - since) / 1000).toFixed(1)} s`;
      process.stderr.write(
        `${rows.length}/${attacks.length} ${word.padEnd(9)} ${time} ${row.attack} (${row.surface})${row.held === true ? '' : `: ${row.evidence} [${row.id}]`}\n`,
      );
    }
  } finally {
    await world.stop();
  }
  return done;
}

const inOrder = (await Promise.all(lanes.map(carryOutAll))).flat();

const count = (held: boolean | null) => rows.filter((row) => row.held === held).length;
const seconds = Math.round((performance.now() - begun) / 1000);
if (values.json) process.stdout.write(`${JSON.stringify({ rows: inOrder }, null, 2)}\n`);
process.stderr.write(
  `${rows.length} attacks in ${seconds} s: ${count(true)} held, ${count(false)} open, ${count(null)} not carried out\n`,
);
const unexpected = surprises(rows, attacks);
for (const surprise of unexpected) process.stderr.write(`${surprise}\n`);
process.exitCode = unexpected.length > 0 ? 1 : 0;
