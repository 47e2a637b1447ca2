import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confinedEnvironment } from '../../../../src/platform/linux/sandbox/environment.ts';

const options = { folder: '/state/scope-1', unixSockets: false };

function withheldOf(variables: Record<string, string>, changes: object = {}): readonly string[] {
  const { environment, withheld } = confinedEnvironment(variables, { ...options, ...changes });
  for (const name of withheld) expect(environment).not.toHaveProperty([name]);
  return withheld;
}

describe('the environment of a confined program', () => {
  it.each([
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'NODE_AUTH_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SESSION_TOKEN',
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'STRIPE_KEY',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PASS',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'AZURE_CLIENT_SECRET',
    'SENTRY_DSN',
    'GITHUB_PAT',
    'SSH_PRIVATE_KEY',
    'npm_config__auth',
    'npm_config_//registry.npmjs.org/:_authToken',
    'SESSION_COOKIE',
    'VAULT_TOKEN_2',
    'PGPASSFILE',
    'STRIPE_SK',
    'SLACK_WEBHOOK',
    'DEPLOY_WEBHOOK_URL',
  ])('withholds the secret %s', (name) => {
    expect(withheldOf({ [name]: 'x' })).toEqual([name]);
  });

  it.each([
    ['DATABASE_URL', 'postgres://app:hunter2@db.example.com/app'],
    ['HTTPS_PROXY', 'http://user:hunter2@proxy:8080'],
    ['SOMETHING', 'ghp_0123456789abcdefghij0123456789abcdef'],
    ['SOMETHING', 'github_pat_0123456789abcdefghij'],
    ['SOMETHING', 'prefix xoxb-1234567890-abcdefghij'],
    ['SOMETHING', `sk-ant-${'made-up-'.repeat(4)}`],
    ['SOMETHING', 'AKIAIOSFODNN7EXAMPLE'],
    ['SOMETHING', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc'],
    ['SOMETHING', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc'],
    ['SOMETHING', 'sk_live_madeup1'],
    ['SOMETHING', 'sk_test_madeup0123456789'],
    ['WHERE', 'https://hooks.slack.com/services/T0/B0/abc'],
    ['WHERE', 'https://discord.com/api/webhooks/1/abc'],
    ['WHERE', 'https://example.com/feed?x=1&api_key=hunter2'],
    ['STORAGE', 'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=hunter22=='],
    ['LOGIN', 'host=db user=app password=hunter2'],
    ['SOMETHING', 'q7Zk2mPx9LwB4vTn8RcY'],
    ['HEADER', 'Authorization: Bearer abcdefghijklmnop'],
  ])('withholds the secret in %s=%s', (name, value) => {
    expect(withheldOf({ [name]: value })).toEqual([name]);
  });

  it.each([
    ['COMMIT', '0123456789abcdef0123456789abcdef01234567'],
    ['BUILD_TAG', 'jenkins-MyProject-Nightly-20261123-4711'],
    ['RELEASE', 'deskterity-0.1.0+build.20261123T104500Z'],
    ['SESSION_ID', '3F2504E0-4F89-11D3-9A0C-0305E82C3301'],
    ['JAVA_HOME', '/usr/lib/jvm/java-17-openjdk-amd64'],
    ['LS_COLORS', 'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33'],
    ['MANPATH', '/usr/share/man:/home/User1/.local/Share/Man2'],
    ['URL', 'https://example.com/search?q=keyboard&page=2'],
    ['CFLAGS', '-O2 -march=x86-64 -DNAME=Value'],
    ['KEYBOARD', 'us'],
  ])('passes %s=%s', (name, value) => {
    expect(withheldOf({ [name]: value })).toEqual([]);
  });

  it('passes only what the user lists, and what every program needs', () => {
    const variables = {
      PATH: '/bin',
      LC_ALL: 'C',
      CI: '1',
      MY_A: 'a',
      MYSELF: 'x',
      NPM_TOKEN: 'x',
      OTHER: 'x',
    };
    const only = ['CI', 'MY_*', 'NPM_TOKEN', 'DESKTERITY_SESSION'];
    expect(withheldOf({ ...variables, DESKTERITY_SESSION: 's' }, { only })).toEqual([
      'DESKTERITY_SESSION',
      'MYSELF',
      'OTHER',
    ]);
    expect(withheldOf(variables, { only: [], keep: ['OTHER'] })).toEqual([
      'CI',
      'MYSELF',
      'MY_A',
      'NPM_TOKEN',
    ]);
    expect(withheldOf({ DISPLAY: ':1' }, { only: ['CI'] })).toEqual(['DISPLAY']);
  });

  it.each([
    'DISPLAY',
    'WAYLAND_DISPLAY',
    'XAUTHORITY',
    'DBUS_SESSION_BUS_ADDRESS',
    'SSH_AUTH_SOCK',
    'GPG_AGENT_INFO',
    'DOCKER_HOST',
    'XDG_RUNTIME_DIR',
    'AT_SPI_BUS_ADDRESS',
    'TMUX',
    'VSCODE_IPC_HOOK_CLI',
  ])('withholds %s unless sockets are allowed', (name) => {
    expect(withheldOf({ [name]: '/run/user/1000/x' })).toEqual([name]);
    expect(withheldOf({ [name]: '/run/user/1000/x' }, { unixSockets: true })).toEqual([]);
  });

  it.each([
    'DESKTERITY_SESSION',
    'DESKTERITY_OPERATION',
    'AHMA_SANDBOX_SCOPE',
    'BASH_ENV',
    'NODE_CHANNEL_FD',
    'NOTIFY_SOCKET',
  ])('never has %s', (name) => {
    expect(withheldOf({ [name]: 'x' }, { unixSockets: true, keep: [name] })).toEqual([name]);
  });

  it.each([
    ['PATH', '/usr/bin'],
    ['PWD', '/home/alice/project'],
    ['LANG', 'de_DE.UTF-8'],
    ['GIT_AUTHOR_NAME', 'Alice'],
    ['KEYBOARD_LAYOUT', 'de'],
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['MONKEY', 'business'],
    ['PASSAGE', 'ok'],
    ['NODE_OPTIONS', '--max-old-space-size=4096'],
    ['http_proxy', 'http://proxy:3128'],
    ['CC', 'gcc'],
    ['COMPASS', 'north'],
    ['AUTHOR', 'Alice'],
  ])('keeps %s=%s', (name, value) => {
    const { environment, withheld } = confinedEnvironment({ [name]: value }, options);
    expect(withheld).toEqual([]);
    expect(environment[name]).toBe(value);
  });

  it('loads no code from outside into Node', () => {
    expect(withheldOf({ NODE_OPTIONS: '--require /opt/agent.js' })).toEqual(['NODE_OPTIONS']);
    expect(withheldOf({ NODE_OPTIONS: '-r /opt/agent.js' })).toEqual(['NODE_OPTIONS']);
  });

  it('keeps variables that a trusted tool file requests', () => {
    const { environment, withheld } = confinedEnvironment(
      { NPM_TOKEN: 'npm_0123456789abcdefghij' },
      { ...options, keep: ['NPM_TOKEN'] },
    );
    expect({ token: environment['NPM_TOKEN'], withheld }).toEqual({
      token: 'npm_0123456789abcdefghij',
      withheld: [],
    });
  });

  it('has home, temporary files and caches in its own folder, and toolchains in place', () => {
    const { environment, folders } = confinedEnvironment(
      {
        HOME: '/home/alice',
        TMPDIR: '/tmp',
        XDG_CACHE_HOME: '/home/alice/.cache',
        CARGO_HOME: '/home/alice/.cargo',
        PYENV_ROOT: '/opt/pyenv',
      },
      options,
    );
    expect(environment).toMatchObject({
      HOME: '/state/scope-1/home',
      TMPDIR: '/state/scope-1/tmp',
      XDG_CACHE_HOME: '/state/scope-1/home/.cache',
      XDG_CONFIG_HOME: '/state/scope-1/home/.config',
      XDG_DATA_HOME: '/state/scope-1/home/.local/share',
      XDG_STATE_HOME: '/state/scope-1/home/.local/state',
      CARGO_HOME: '/state/scope-1/cache/cargo',
      RUSTUP_HOME: '/home/alice/.rustup',
      PYENV_ROOT: '/opt/pyenv',
    });
    expect(folders).toContain('/state/scope-1/home/.cache');
    expect(new Set(folders).size).toBe(folders.length);
  });

  it('either keeps or names each variable, and never both', () => {
    const variables = fc.dictionary(fc.stringMatching(/^[A-Z_]{1,12}$/), fc.string(), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(variables, fc.boolean(), (inherited, unixSockets) => {
        const { environment, withheld } = confinedEnvironment(inherited, { ...options, unixSockets });
        const names = Object.keys(inherited);
        expect(names.filter((name) => withheld.includes(name) === Object.hasOwn(environment, name))).toEqual(
          [],
        );
        const changed = names.filter(
          (name) => Object.hasOwn(environment, name) && environment[name] !== inherited[name],
        );
        expect(changed.filter((name) => !environment[name]?.startsWith(options.folder))).toEqual([]);
        expect(withheld.filter((name) => !Object.hasOwn(inherited, name))).toEqual([]);
        expect(withheld).toEqual(withheld.toSorted());
      }),
    );
  });
});
