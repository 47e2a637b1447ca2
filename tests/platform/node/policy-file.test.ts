import { chmod, link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPolicyFile } from '../../../src/platform/node/policy-file.ts';

const OWN = { isOfProject: false, scopes: [] };
const PROJECT = { isOfProject: true, scopes: [] };
const TEXT = 'mode = "safe"\n';
let base = '';
let config = '';
let project = '';

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'policy-'));
  [config, project] = [join(base, 'config'), join(base, 'project')];
  for (const folder of [config, project]) await mkdir(folder, { mode: 0o700 });
});

afterEach(() => rm(base, { recursive: true }));

async function write(folder: string, text = TEXT): Promise<string> {
  const file = join(folder, 'policy.toml');
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

describe.skipIf(process.platform === 'win32')('a policy file', () => {
  it('is read anew each time, and is the same table until it changes', async () => {
    const file = await write(config);
    const first = await readPolicyFile(file, OWN);
    expect(first).toEqual({ table: { mode: 'safe' } });
    expect((await readPolicyFile(file, OWN))?.problem).toBeUndefined();
    const again = await readPolicyFile(file, OWN);
    expect(again === first).toBe(true);
    // Of the same length, and perhaps within the same millisecond.
    await write(config, 'mode = "sane"\n');
    expect(await readPolicyFile(file, OWN)).toEqual({ table: { mode: 'sane' } });
    await rm(file);
    expect(await readPolicyFile(file, OWN)).toBeUndefined();
  });

  it.each([0o660, 0o606])('that others may write does not count: %o', async (mode) => {
    const file = await write(config);
    await chmod(file, mode);
    expect((await readPolicyFile(file, OWN))?.problem).toContain('other users can write to it');
  });

  it.each([0o770, 0o707])('in a folder that others may write does not count: %o', async (mode) => {
    const file = await write(config);
    await chmod(config, mode);
    expect((await readPolicyFile(file, OWN))?.problem).toContain('other users can replace it');
  });

  it('that is a link into a project, where tools write, does not count', async () => {
    await symlink(await write(project), join(config, 'policy.toml'));
    const { problem } = (await readPolicyFile(join(config, 'policy.toml'), OWN)) ?? {};
    expect(problem).toContain(`is a link to ${join(project, 'policy.toml')}`);
  });

  it('that has another name in a project does not count', async () => {
    await link(await write(project), join(config, 'policy.toml'));
    const { problem } = (await readPolicyFile(join(config, 'policy.toml'), OWN)) ?? {};
    expect(problem).toContain('a hard link');
  });

  it('in a folder that tools are confined to does not count, also if that is named by a link', async () => {
    const file = await write(config);
    await symlink(base, join(project, 'all'));
    for (const scope of [base, config, join(project, 'all')]) {
      const { problem } = (await readPolicyFile(file, { isOfProject: false, scopes: [scope] })) ?? {};
      expect(problem).toContain('a folder that tools are confined to');
    }
    expect((await readPolicyFile(file, { isOfProject: false, scopes: [project] }))?.problem).toBeUndefined();
  });

  it('of a project counts although tools may write it, but not through a link', async () => {
    const file = await write(project);
    await chmod(file, 0o664);
    expect(await readPolicyFile(file, { isOfProject: true, scopes: [project] })).toEqual({
      table: { mode: 'safe' },
    });
    await rm(file);
    await symlink(await write(config), file);
    expect((await readPolicyFile(file, PROJECT))?.problem).toContain('is a link to');
  });

  it.each([
    ['mode = ', 'mode = ', 1],
    ['a = 1\n[x\n', '[x', 2],
  ])('that is not TOML is a problem with its line: %j', async (text, _where, line) => {
    expect(await readPolicyFile(await write(config, text), OWN)).toMatchObject({ line });
  });

  it('that is a folder, too large or not text is a problem', async () => {
    await mkdir(join(config, 'policy.toml'));
    expect((await readPolicyFile(join(config, 'policy.toml'), OWN))?.problem).toContain('is a folder');
    expect((await readPolicyFile(await write(project, '#'.repeat(300_000)), OWN))?.problem).toContain(
      'larger',
    );
    await writeFile(join(project, 'policy.toml'), Buffer.from([0xff]));
    expect((await readPolicyFile(join(project, 'policy.toml'), OWN))?.problem).toContain('UTF-8');
  });
});
