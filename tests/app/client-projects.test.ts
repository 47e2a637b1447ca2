import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientProjects } from '../../src/app/client-projects.ts';
import { completeConfiguration } from '../../src/model/configuration/config.ts';
import { createPlatform } from '../../src/platform/select.ts';

let root: string;
const at = (...names: string[]) => join(root, ...names);
const write = async (text: string, ...names: string[]) => {
  await mkdir(join(at(...names), '..'), { recursive: true });
  await writeFile(at(...names), text);
};

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-roots-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const caller = { environment: { HOME: '/home/ada' }, cwd: '/' };
const platform = createPlatform();
const values = completeConfiguration({ sandbox: { mode: 'off' } });

function find(folders: readonly string[], changes: Partial<typeof platform.folders> = {}) {
  const parts = {
    platform: { ...platform, folders: { ...platform.folders, ...changes } },
    configuration: async () => ({ values, entries: [], file: '', fileExists: false }),
  };
  return clientProjects(parts, caller, folders);
}

it('finds tool files, workflows and settings, and lets settings only forbid', async () => {
  await mkdir(at('one/.deskterity/tools'), { recursive: true });
  await write('{}', 'one/.deskterity/workflows/save.json');
  await write('', 'one/.deskterity/workflows/notes.txt');
  await write(
    'sandbox.mode = "auto"\noperations.output_mb = 2\ntools.folder = "/"\n',
    'one/.deskterity/config.toml',
  );
  await mkdir(at('two'));
  const found = await find([at('one'), at('two'), at('one')]);
  expect(found).toEqual({
    projects: [{ folder: at('one'), tools: at('one/.deskterity/tools'), workflows: ['save.json'] }],
    applied: ['sandbox.mode', 'operations.output_mb'],
    ignored: ['tools.folder'],
    problems: [],
    caller: {
      environment: {
        HOME: '/home/ada',
        DESKTERITY_SANDBOX_MODE: 'auto',
        DESKTERITY_OPERATIONS_OUTPUT_MB: '2',
      },
      cwd: '/',
      projectTools: [at('one/.deskterity/tools')],
      projectPolicies: [at('one/.deskterity/policy.toml')],
    },
  });
});

it('uses nothing that is not really inside the folder, not its user’s, or open to everyone', async () => {
  await write('sandbox.mode = "auto"\n', 'elsewhere/.deskterity/config.toml');
  await mkdir(at('elsewhere/.deskterity/tools'));
  await mkdir(at('linked'));
  await symlink(at('elsewhere/.deskterity'), at('linked/.deskterity'));
  await mkdir(at('parts/.deskterity'), { recursive: true });
  await symlink(at('elsewhere/.deskterity/tools'), at('parts/.deskterity/tools'));
  await symlink(at('elsewhere/.deskterity/config.toml'), at('parts/.deskterity/config.toml'));
  await mkdir(at('open/.deskterity/tools'), { recursive: true });
  await chmod(at('open/.deskterity/tools'), 0o777);
  await writeFile(at('file'), '');
  const found = await find([at('linked'), at('parts'), at('open'), at('file'), at('gone')]);
  expect(found.caller.projectTools).toEqual([]);
  expect(found.caller.environment).toEqual(caller.environment);
  expect(found.problems).toEqual([
    `${at('linked/.deskterity')} is not used: it is a link to a place outside the project`,
    `${at('parts/.deskterity/tools')} is not used: it is a link to a place outside the project`,
    `${at('parts/.deskterity/config.toml')} is not used: it is a link to a place outside the project`,
    `${at('open/.deskterity/tools')} is not used: it can be changed by everyone`,
    `${at('file')} is not used: it is not a folder`,
    `${at('gone')} is not used: it does not exist`,
  ]);
  const foreign = await find([at('elsewhere')], {
    own: async () => ({ problem: 'belongs to another user' }),
  });
  expect(foreign.projects).toEqual([]);
});

it('a mistake in the settings of a project is a problem, and stops nothing', async () => {
  await mkdir(at('one/.deskterity/tools'), { recursive: true });
  await write('sandbox.mod = "off"\n', 'one/.deskterity/config.toml');
  const found = await find([at('one')]);
  expect(found.caller.projectTools).toHaveLength(1);
  expect(found.problems).toEqual([expect.stringContaining('"sandbox.mod" does not exist')]);
});

it('looks into a bounded number of folders', async () => {
  const folders = Array.from({ length: 40 }, (_, index) => at(`p${index}`));
  for (const folder of folders) await mkdir(join(folder, '.deskterity'), { recursive: true });
  expect((await find(folders)).projects).toHaveLength(16);
});
