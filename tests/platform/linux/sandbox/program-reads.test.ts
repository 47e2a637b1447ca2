import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programReads } from '../../../../src/platform/linux/sandbox/landlock/program-reads.ts';

/** A home with what people have in theirs; what ends in a slash is a folder. */
const LIKE_A_HOME = [
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.config/gh/hosts.yml',
  '.config/deskterity/trust.json',
  '.local/share/keyrings/login.keyring',
  '.local/share/uv/credentials/token',
  '.local/share/uv/tools/ruff/bin/ruff',
  '.local/bin/ruff',
  '.local/lib/python3.11/site.py',
  '.cargo/bin/cargo',
  '.cargo/credentials.toml',
  '.rustup/toolchains/stable/bin/rustc',
  '.rustup/settings.toml',
  '.dotnet/dotnet',
  '.dotnet/corefx/cryptography/x509stores/my/key.pfx',
  '.npm-global/bin/tsc',
  '.npm-global/lib/node_modules/typescript/bin/tsc',
  '.npm-global/.npmrc',
  'bin/mine',
  'lib/secrets.txt',
  'go1.22/bin/go',
  'go1.22/pkg/tool/linux/compile',
  'work/bin/run',
  'work/.env',
  'work/node_modules/.bin/eslint',
];

function home(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deskterity-home-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of LIKE_A_HOME) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  return folder;
}

/** What may be read, below the home. */
async function reads(folder: string, path: readonly string[], variables: object = {}): Promise<string[]> {
  const found = await programReads({
    environment: { HOME: folder, PATH: path.map((name) => join(folder, name)).join(':'), ...variables },
    withheld: [join(folder, '.config/deskterity')],
  });
  return found.map((name) => name.slice(folder.length + 1));
}

const ALWAYS = [
  '.cargo/bin',
  '.dotnet/dotnet',
  '.local/share/uv/tools',
  '.rustup/settings.toml',
  '.rustup/toolchains',
];

describe('programs in the home that confined commands may read', () => {
  it('are those of version managers, without their keys and tokens', async () => {
    expect(await reads(home(), [])).toEqual(ALWAYS);
  });

  it('are those on the PATH, with their libraries', async () => {
    const path = ['bin', '.local/bin', '.npm-global/bin', 'go1.22/bin', 'work/bin', 'work/node_modules/.bin'];
    expect(await reads(home(), path)).toEqual(
      [
        ...ALWAYS,
        '.local/bin',
        '.local/lib',
        '.npm-global/bin',
        '.npm-global/lib',
        'bin',
        'go1.22',
        'work/bin',
        'work/node_modules',
      ].toSorted(),
    );
  });

  it.each([
    '',
    '.',
    '..',
    '../..',
    '.ssh',
    '.config',
    '.config/deskterity',
    '.local',
    '.local/share',
    '.dotnet',
  ])('are not in "%s", although it is on the PATH', async (name) => {
    expect(await reads(home(), [name])).toEqual(ALWAYS);
  });

  it('are the targets of links, unless outside the home or too wide', async () => {
    const folder = home();
    const links = { inside: 'work/bin', outside: '/etc', keys: '.ssh', up: '..' };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
    expect(await reads(folder, Object.keys(links))).toEqual([...ALWAYS, 'work/bin']);
  });

  it('are where a variable points', async () => {
    const folder = home();
    mkdirSync(join(folder, 'tools/rust/toolchains'), { recursive: true });
    mkdirSync(join(folder, 'tools/pyenv'), { recursive: true });
    const variables = {
      RUSTUP_HOME: join(folder, 'tools/rust'),
      PYENV_ROOT: join(folder, 'tools/pyenv'),
      NVM_DIR: folder,
      VOLTA_HOME: '.',
      RBENV_ROOT: '/',
      ASDF_DATA_DIR: '',
    };
    expect(await reads(folder, [], variables)).toEqual([...ALWAYS, 'tools/pyenv', 'tools/rust/toolchains']);
  });

  it.each([{}, { HOME: '' }, { HOME: '.' }, { HOME: '/no/such/home' }])(
    'are empty for %j',
    async (variables) => {
      expect(await programReads({ environment: { PATH: '/usr/bin', ...variables }, withheld: [] })).toEqual(
        [],
      );
    },
  );

  it('are empty if the home is the root folder', async () => {
    const found = await programReads({ environment: { HOME: '/', PATH: '/:/usr/bin' }, withheld: ['/root'] });
    expect(found).not.toContain('/');
    expect(found.filter((path) => path.startsWith('/root'))).toEqual([]);
  });
});
