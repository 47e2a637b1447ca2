import { parseArgs } from 'node:util';
import { injection, NAMES, TITLE, VALUE } from './redteam/injection.ts';
import { guards } from './redteam/guards.ts';
import { passwords, PASSWORD } from './redteam/passwords.ts';
import { protocol } from './redteam/protocol.ts';
import { NotPossible, type Attack, type Row } from './redteam/row.ts';
import { sandbox } from './redteam/sandbox.ts';
import { secrets } from './redteam/secrets.ts';
import { repositoryFile, World } from './redteam/world.ts';

const GROUPS: Readonly<Record<string, readonly Attack[]>> = {
  injection,
  passwords,
  secrets,
  protocol,
  sandbox,
  guards,
};

const USAGE = `Usage: npm run -s redteam [-- --json] [-- --only GROUP[,GROUP…]]

Carries out attacks on a private desktop of its own, and tells which of them were held off.
  --json   print the rows as JSON: {rows: [{attack, surface, held, code, evidence}]}
  --only   only these groups: ${Object.keys(GROUPS).join(', ')}`;

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

const wanted = values.only?.split(',') ?? Object.keys(GROUPS);
const attacks = Object.entries(GROUPS).flatMap(([name, group]) => (wanted.includes(name) ? group : []));
const rows: Row[] = [];
const begun = performance.now();
const world = await World.start();
try {
  await world.open('/usr/bin/python3', [
    repositoryFile('fixtures/redteam/victim.py'),
    JSON.stringify([TITLE, { buttons: NAMES, value: VALUE, password: PASSWORD }, `${world.home}/victim.log`]),
  ]);
  for (const [index, { attack, surface, run }] of attacks.entries()) {
    const outcome = await run(world).catch((error: unknown) => ({
      held: null,
      evidence: `${error instanceof NotPossible ? '' : 'failed: '}${error instanceof Error ? error.message : String(error)}`,
    }));
    const code = 'code' in outcome && typeof outcome.code === 'string' ? outcome.code : null;
    rows.push({ attack, surface, held: outcome.held, code, evidence: outcome.evidence });
    const word = outcome.held === null ? 'NOT TRIED' : outcome.held ? 'held' : 'OPEN';
    process.stderr.write(
      `${index + 1}/${attacks.length} ${word.padEnd(9)} ${attack} (${surface})${outcome.held === true ? '' : `: ${outcome.evidence}`}\n`,
    );
  }
} finally {
  await world.stop();
}

const count = (held: boolean | null) => rows.filter((row) => row.held === held).length;
const seconds = Math.round((performance.now() - begun) / 1000);
if (values.json) process.stdout.write(`${JSON.stringify({ rows }, null, 2)}\n`);
process.stderr.write(
  `${rows.length} attacks in ${seconds} s: ${count(true)} held, ${count(false)} open, ${count(null)} not carried out\n`,
);
process.exitCode = rows.some(({ held }) => held === false) ? 1 : 0;
