import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinToolFiles } from '../../src/toolfiles/files/join-tool-files.ts';
import { READY_TOOL_HASHES } from '../../src/toolfiles/ready-tools.generated.ts';
import { runnableTools } from '../../src/toolfiles/run/runnable-tool.ts';
import { scanToolFiles } from '../../src/toolfiles/files/scan-tool-files.ts';
import { createDocuments } from '../../src/platform/node/documents/documents.ts';
import { createFiles, createFolders } from '../../src/platform/node/files.ts';
import { goodFile } from './support/tool-file.ts';

const FOLDER = join(import.meta.dirname, '../../tools');
const names = readdirSync(FOLDER).toSorted();
const tools = names.flatMap((name) => runnableTools(goodFile(readFileSync(join(FOLDER, name), 'utf8'))));

/** Tools for which something holds, by name. */
function those(holds: (tool: (typeof tools)[number]) => boolean): string[] {
  return tools.filter(holds).map(({ name }) => name);
}

it('are the promised files, each with a check and instructions', () => {
  expect(names).toEqual(
    ['cargo', 'docker', 'gh', 'git', 'go', 'jq', 'make', 'node', 'npm', 'python', 'rg'].map(
      (name) => `${name}.json`,
    ),
  );
  for (const name of names) {
    const file = goodFile(readFileSync(join(FOLDER, name), 'utf8'));
    expect(`${file.name}.json`).toBe(name);
    expect(file).toMatchObject({
      availability_check: expect.stringMatching(/./),
      install_instructions: expect.stringMatching(/./),
    });
  }
});

it('are trusted as they are in the repository', () => {
  const hashes = names.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(FOLDER, name)))
      .digest('hex'),
  ]);
  expect([...READY_TOOL_HASHES]).toEqual(hashes);
});

it('have no problems together', async () => {
  const { files, problems } = await scanToolFiles([{ path: FOLDER, origin: 'ready' }], {
    folders: createFolders(),
    files: createFiles(),
    documents: createDocuments(),
  });
  expect(problems).toEqual([]);
  const joined = joinToolFiles(files, {
    places: { scope: '/scope', home: '/home/someone', guarded: ['/home/someone/.config/deskterity'] },
    isTaken: () => false,
  });
  expect(joined.flatMap((file) => file.problems)).toEqual([]);
  expect(joined.flatMap((file) => file.runnable)).toHaveLength(tools.length);
});

describe('their permissions', () => {
  it('only docker may use sockets of the machine, and it is disabled', () => {
    expect([
      ...new Set(tools.filter(({ sandbox }) => sandbox.unix_sockets === true).map(({ tool }) => tool)),
    ]).toEqual(['docker']);
    expect([...new Set(tools.filter(({ isEnabled }) => !isEnabled).map(({ tool }) => tool))]).toEqual([
      'docker',
    ]);
    expect(
      those(({ sandbox }) => (sandbox.write ?? []).length > 0).every((name) => name.startsWith('docker')),
    ).toBe(true);
  });

  it('only tools that transfer data may use the network', () => {
    expect(those(({ sandbox, tool }) => sandbox.network === true && tool !== 'gh')).toEqual([
      'cargo_fetch',
      'cargo_add',
      'cargo_remove',
      'cargo_update',
      'cargo_search',
      'git_fetch',
      'git_pull',
      'git_push',
      'git_clone',
      'go_get',
      'go_install',
      'go_mod_tidy',
      'go_mod_download',
      'npm_install',
      'npm_ci',
      'npm_update',
      'npm_outdated',
      'npm_view',
      'npm_audit',
      'npm_dedupe',
      'python_pip_install',
      'python_pip_list',
      'python_pip_download',
    ]);
    expect(those(({ sandbox, tool }) => sandbox.network !== true && tool === 'gh')).toEqual([]);
  });

  it('tools that change a project answer at the end', () => {
    const changing = [
      'cargo_add', 'cargo_remove', 'cargo_update', 'cargo_new', 'cargo_init', 'cargo_fmt', 'cargo_clippy',
      'npm_install', 'npm_ci', 'npm_uninstall', 'npm_update', 'npm_init', 'npm_version', 'npm_pkg_set', 'npm_pkg_delete', 'npm_dedupe', 'npm_prune',
      'go_get', 'go_fmt', 'go_generate', 'go_mod_init', 'go_mod_tidy',
      'python_venv', 'python_pip_install', 'python_pip_uninstall',
      'git_add', 'git_commit', 'git_switch', 'git_restore', 'git_reset', 'git_merge', 'git_rebase', 'git_cherry-pick', 'git_revert', 'git_stash_push', 'git_stash_pop', 'git_pull', 'git_rm', 'git_mv',
      'gh_pr_checkout',
    ]; // prettier-ignore
    const synchronous = those(({ isSynchronous }) => isSynchronous);
    expect(changing.filter((name) => !synchronous.includes(name))).toEqual([]);
    const background = those(({ isSynchronous }) => !isSynchronous);
    for (const name of [
      'cargo_build',
      'cargo_test',
      'npm_run',
      'npm_test',
      'go_test',
      'python_pytest',
      'make',
      'git_clone',
      'node_test',
    ])
      expect(background).toContain(name);
  });

  it('tools called read-only change nothing', () => {
    const reading = those(({ isReadOnly }) => isReadOnly);
    const words =
      /(?:_|^)(?:add|commit|install|push|rm|mv|set|remove|delete|create|edit|merge|init|run|apply|pop|drop|close|fetch)$/;
    expect(reading.filter((name) => words.test(name))).toEqual([]);
    expect(reading).toEqual(
      expect.arrayContaining(['git_status', 'git_diff', 'rg', 'jq', 'npm_ls', 'cargo_tree', 'gh_pr_view']),
    );
  });

  it('parameters for files are paths', () => {
    const silent = tools.flatMap((tool) =>
      [...tool.positionals, ...tool.levels.flatMap(({ options }) => options)]
        .filter(
          ({ name, format, type, enum: values }) =>
            /(?:^|-)(?:file|files|folder|dir|path|paths|directory)$/.test(name) &&
            format !== 'path' &&
            type !== 'boolean' &&
            values === undefined,
        )
        .map(({ name }) => `${tool.name} ${name}`),
    );
    expect(silent).toEqual([]);
  });
});
