import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATION } from '../../../src/operations/operation-folder.ts';
import { newRecordId } from '../../../src/operations/record-folders.ts';
import type { World } from '../../../tests/e2e/support/kill-world.ts';
import { expectCode } from '../../../tests/e2e/support/kill-round.ts';
import { projectOf } from '../private-world.ts';

const COPIES = 30;
const OLD_DAYS = 40;
const DAY_MS = 86_400_000;

/** Plants outputs and a log that ended long ago, so that their removal can be seen in a short run. @returns what is still there of them */
export async function plantOldRecords(world: World): Promise<() => string[]> {
  expectCode(await world.desk('sandboxed-shell', 'seq 1000', '--sandbox-scope', projectOf(world)), 0);
  expectCode(await world.desk('daemon', 'stop'), 0);
  const folder = join(world.folder, 'h/.local/state/deskterity/operations');
  const [sample] = readdirSync(folder).filter((name) => name.startsWith('op-'));
  if (sample === undefined) throw new Error('no operation was kept');
  const ids = Array.from({ length: COPIES }, () => newRecordId(OPERATION));
  const old = new Date(Date.now() - OLD_DAYS * DAY_MS).toISOString();
  for (const id of ids) {
    cpSync(join(folder, sample), join(folder, id), { recursive: true });
    for (const name of readdirSync(join(folder, id)).filter((file) => file.endsWith('.json'))) {
      const file = join(folder, id, name);
      const text = readFileSync(file, 'utf8').replaceAll(sample, id);
      writeFileSync(file, text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, old));
    }
  }
  const logs = join(world.folder, 'h/.cache/deskterity/logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const log = join(logs, `deskterity-${old.slice(0, 10)}.log`);
  writeFileSync(log, '{}\n');
  return () => [...ids.map((id) => join(folder, id)), log].filter((path) => existsSync(path));
}
