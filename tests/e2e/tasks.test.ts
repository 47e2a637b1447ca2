import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doTask, type Way } from '../../scripts/proof/tasks/in-new-home.ts';
import { TASKS } from '../../scripts/proof/tasks/oracles/index.ts';
import { builtProgram } from './support/build.ts';

/** Fast ones, on the applications that the tests install; `npm run proof -- tasks` does them all. */
const CHOSEN: readonly (readonly [string, Way])[] = [
  ['write-document', 'workflow'],
  ['write-document', 'plain'],
  ['qt-dialogs', 'workflow'],
  ['copy-between-apps', 'workflow'],
];

let program: Awaited<ReturnType<typeof builtProgram>>;
beforeAll(async () => {
  program = await builtProgram();
});
afterAll(async () => {
  await rm(program.folder, { recursive: true, force: true });
});

/** Judged by the files that they save. */
describe('a task of examples/', () => {
  it.for(CHOSEN)('%s is done as %s', { timeout: 120_000 }, async ([name, way], { skip }) => {
    const task = TASKS.find((one) => one.name === name);
    if (task === undefined) throw new Error(`there is no task ${name}`);
    const missing = task.applications.filter((application) => !existsSync(`/usr/bin/${application}`));
    skip(missing.length > 0, `not installed: ${missing.join(', ')}`);
    const calls = way === 'workflow' ? 1 : task.plain.length;
    expect(await doTask(task, program.entry, way)).toMatchObject({ calls });
  });
});
