import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAEMON_PROTOCOL } from '../../../src/wire/daemon-protocol.ts';
import { HOLDER_PROTOCOL } from '../../../src/wire/holder-protocol.ts';
import { holdersFolder } from '../../../src/operations/holder/holder-place.ts';
import { envelope, versionOf } from '../../daemon/support.ts';
import { notDenied, PYTHON, type Outcome } from './hostile-run.ts';
import { Published } from './published.ts';

const HOSTILE = join(import.meta.dirname, 'hostile');
const WITHOUT = join(import.meta.dirname, 'without.py');

describe.skipIf(!existsSync(PYTHON))('the sockets of Deskterity itself (needs Python)', () => {
  let lab: Published;
  let project: string;
  let outside: string;
  let target: string;
  beforeAll(async () => {
    lab = await Published.open();
    [project, outside] = [join(lab.folder, 'project'), join(lab.folder, 'outside')];
    for (const folder of [join(project, '.deskterity/tools'), outside])
      mkdirSync(folder, { recursive: true });
    // All that a person can give to a tool, and the word of the holder among it.
    const tool = {
      name: 'hostile',
      description: 'Tries to get out.',
      command: PYTHON,
      sandbox: {
        unix_sockets: true,
        read: [HOSTILE, join(lab.folder, 'state'), lab.program, join(lab.program, '..', 'node_modules')],
        environment: { pass: ['XDG_RUNTIME_DIR'], set: { PYTHONDONTWRITEBYTECODE: '1' } },
      },
      positional_args: [
        { name: 'program', type: 'string', description: 'Program.', required: true },
        { name: 'target', type: 'string', description: 'Target.', required: true },
      ],
    };
    const file = join(project, '.deskterity/tools/hostile.json');
    writeFileSync(file, JSON.stringify(tool));
    for (const words of [
      ['tools', 'trust', file],
      ['sandboxed-shell', 'true'],
    ])
      if (!envelope(await desk(...words)).ok) throw new Error(`${words.join(' ')} failed`);
    const [holder = 0] = lab.holders();
    const socket = /--socket=([^\0]+)/.exec(readFileSync(`/proc/${holder}/cmdline`, 'utf8'))?.[1] ?? '';
    const words = readdirSync(holdersFolder(state())).filter((name) => name.endsWith('token'));
    target = JSON.stringify({
      daemon: lab.socket,
      holder: socket,
      daemon_protocol: DAEMON_PROTOCOL,
      holder_protocol: HOLDER_PROTOCOL,
      token: join(holdersFolder(state()), words[0] ?? ''),
      version: await versionOf(lab),
      environment: lab.environment(lab.folders),
      desk: [process.execPath, join(lab.program, 'desk.cjs')],
      outside,
    });
  });
  afterAll(async () => lab.stop());

  const state = () => join(lab.folder, 'state', 'deskterity');
  const desk = async (...args: string[]) => lab.desk([...args, '--sandbox-scope', project], lab.folders);
  const escaped = () => readdirSync(outside).toSorted();
  const outcomes = (output: string) =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{"name"'))
      .map((line): Outcome => JSON.parse(line));

  it('serve unconfined clients, so the attempts are valid', async () => {
    const { stdout } = await promisify(execFile)(PYTHON, [join(HOSTILE, 'own_sockets.py'), target], {
      env: { ...lab.environment(lab.folders), PYTHONDONTWRITEBYTECODE: '1' },
    });
    const tried = outcomes(stdout);
    // Whether it is served depends on who is faster: whoever cannot be told from a confined command is taken for one.
    const sure = tried.filter(({ name }) => name !== 'daemon_of_somebody_who_is_gone');
    expect(sure).toHaveLength(5);
    expect(sure.filter(({ succeeded }) => succeeded === undefined)).toEqual([]);
    expect(tried.filter(({ broken }) => broken !== undefined)).toEqual([]);
    const all = ['daemon', 'holder', 'line', 'orphan', 'thread'];
    await expect.poll(escaped).toEqual(expect.arrayContaining(all));
    for (const name of escaped()) rmSync(join(outside, name));
  });

  it('refuse a confined command, even if it may use Unix sockets and knows the token', async () => {
    const before = readdirSync(join(state(), 'operations')).length;
    const args = JSON.stringify({ program: join(HOSTILE, 'own_sockets.py'), target, execution_mode: 'sync' });
    const ran = envelope(await desk('run-tool', 'hostile', args));
    const tried = outcomes(String(ran['output']));
    expect(tried).toHaveLength(6);
    expect(notDenied(tried)).toEqual([]);
    // Time in which one that was let out would have left its trace.
    await sleep(300);
    expect(escaped()).toEqual([]);
    // The hostile program itself, and no other.
    expect(readdirSync(join(state(), 'operations')).length).toBe(before + 1);
    expect(envelope(await desk('status')).ok).toBe(true);
  });

  it('serve a command that the user runs without a sandbox', async () => {
    const line = `${process.execPath} ${join(lab.program, 'desk.cjs')} status`;
    const ran = envelope(await desk('sandboxed-shell', line, '--no-sandbox', '--execution-mode', 'sync'));
    expect(ran).toMatchObject({ ok: true, sandbox: 'none', exit_code: 0 });
    expect(String(ran['output'])).toContain('"ok":true');
  });

  it("serve whoever is in somebody else's sandbox, with a filter and without new privileges", async () => {
    const client = [process.execPath, join(lab.program, 'desk.cjs'), 'status'];
    const { stdout } = await promisify(execFile)(PYTHON, [WITHOUT, 'landlock,privileges', ...client], {
      env: lab.environment(lab.folders),
    });
    expect(stdout).toContain('"ok":true');
  });
});
