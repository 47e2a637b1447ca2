import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { theLedger } from './ledger.ts';
import type { Attack, Outcome } from './row.ts';
import { McpClient } from './mcp-client.ts';
import { DENIED, sees, type Tried } from './way.ts';
import type { World } from './world.ts';

const SANDBOXED = 'mode = "sandboxed"\n';
const SIGN = 'role:button[name="Sign the page"]';
/** What a policy refuses with. Another failure is no sign of it. */
const REFUSALS = new Set(['POLICY_DENIED', 'CONFIG_INVALID']);

interface Loosened {
  readonly name: string;
  readonly attack: string;
  readonly surface: string;
  readonly open?: string;
  readonly policy?: string;
  /** Tries to act while the policy is in force. */
  readonly attempt: (world: World, click: readonly string[]) => Promise<Tried>;
}

let isProven = false;

/** Held if what the policy refuses is still refused. */
function loosened({ name, attack, surface, open, policy = DENIED, attempt }: Loosened): Attack {
  return {
    name,
    attack,
    surface,
    ...(open === undefined ? {} : { open }),
    run: async (world): Promise<Outcome> => {
      const ledger = await theLedger(world);
      const click = ['click', `app:${ledger.app} >> ${SIGN}`, '--timeout', '3000'];
      const pressed = (run: () => Promise<Tried>) => sees('clicked')(world, ledger, run);
      if (!isProven) {
        const [{ shown }, freely] = await pressed(() => world.desk(click));
        if (freely === undefined)
          return { held: null, evidence: `not pressed without a policy: ${shown.slice(0, 200)}` };
        isProven = true;
      }
      const [{ code, shown }, reached] = await world.withFile('policy.toml', policy, () =>
        pressed(() => attempt(world, click)),
      );
      if (reached !== undefined) return { held: false, code, evidence: reached };
      return {
        held: REFUSALS.has(code ?? '') || /POLICY_DENIED|CONFIG_INVALID/.test(shown) ? true : null,
        code,
        evidence: `not pressed: ${shown.slice(0, 200)}`,
      };
    },
  };
}

const byVariables = (
  name: string,
  surface: string,
  variables: (world: World) => Readonly<Record<string, string>>,
  more: Partial<Loosened> = {},
): Attack =>
  loosened({
    name,
    attack: 'a policy loosened by the variables of the caller',
    surface,
    attempt: (world, click) => world.desk(click, variables(world)),
    ...more,
  });

/** Held if a policy with a mistake refuses, instead of allowing everything. */
const malformed = (name: string, surface: string, content: string): Attack =>
  loosened({
    name,
    attack: 'a policy that cannot be read',
    surface,
    policy: content,
    attempt: (world, click) => world.desk(click),
  });

/** A policy that is no ordinary file of the user. */
const replaced = (
  name: string,
  surface: string,
  make: (file: string, world: World) => Promise<unknown>,
): Attack =>
  loosened({
    name,
    attack: 'a policy that cannot be trusted',
    surface,
    attempt: async (world, click) => {
      const file = join(world.configFolder, 'policy.toml');
      await rm(file);
      await make(file, world);
      return world.desk(click);
    },
  });

/** A file of the project, which whoever writes the project has written. */
const byProject = (name: string, file: string, content: string, policy: string): Attack =>
  loosened({
    name,
    attack: 'a policy loosened by a file of the project',
    surface: `.deskterity/${file}`,
    policy,
    attempt: async (world, click) => {
      const path = join(world.project, '.deskterity', file);
      await mkdir(join(world.project, '.deskterity'), { recursive: true });
      await writeFile(path, content);
      try {
        return await world.desk(click);
      } finally {
        await rm(path, { force: true });
      }
    },
  });

/** Held if the file is as it was, and still refuses. */
const written = (
  name: string,
  surface: string,
  command: (file: string) => string,
  inFolder = false,
): Attack =>
  loosened({
    name,
    attack: 'a policy written by a confined tool',
    surface,
    attempt: async (world, click) => {
      const file = join(world.configFolder, 'policy.toml');
      const words = [command(file), '--execution-mode', 'sync'];
      const from = inFolder ? `cd '${world.configFolder}' && ` : '';
      const line = [process.execPath, world.entry, 'sandboxed-shell', ...words]
        .map((word) => `'${word}'`)
        .join(' ');
      const wrote = await world.run('/bin/sh', ['-c', `${from}${line}`]);
      const after = await readFile(file, 'utf8').catch(() => 'gone');
      const reply = await world.desk(click);
      return {
        code: reply.code,
        shown: `${after === DENIED ? 'unchanged' : 'CHANGED'}; ${wrote.shown.slice(0, 60)}; ${reply.shown}`,
      };
    },
  });

async function overMcp(
  world: World,
  click: readonly string[],
  meta: Readonly<Record<string, unknown>>,
  variables = {},
): Promise<Tried> {
  const client = await McpClient.start(process.execPath, [world.entry, 'mcp', '--toolsets', 'all'], {
    environment: { ...world.environment, ...variables },
    cwd: world.project,
  });
  try {
    const answer = await client.request('tools/call', {
      name: 'desktop_click',
      arguments: { ref: click[1] },
      _meta: {
        ...meta,
        ...Object.fromEntries(Object.entries(meta).map(([key, value]) => [`io.deskterity/${key}`, value])),
      },
    });
    const shown = JSON.stringify(answer);
    return { code: /POLICY_DENIED|CONFIG_INVALID/.exec(shown)?.[0] ?? 'other', shown };
  } finally {
    client.stop();
  }
}

const OWN_FOLDER = 'whoever sets XDG_CONFIG_HOME or HOME of a call chooses the folder with the policy';

export const loosen: readonly Attack[] = [
  byVariables(
    'mode-variable',
    'DESKTERITY_SECURITY_MODE=normal',
    () => ({ DESKTERITY_SECURITY_MODE: 'normal' }),
    {
      policy: SANDBOXED,
    },
  ),
  byVariables('allowed-variable', 'DESKTERITY_ALLOWED_APPS', () => ({
    DESKTERITY_ALLOWED_APPS: 'ledger,python3*,*',
  })),
  byVariables('denied-variable', 'DESKTERITY_DENIED_APPS, empty', () => ({ DESKTERITY_DENIED_APPS: '' })),
  byVariables('unknown-mode', 'DESKTERITY_SECURITY_MODE=off', () => ({ DESKTERITY_SECURITY_MODE: 'off' })),
  byVariables('config-folder', 'XDG_CONFIG_HOME', ({ home }) => ({ XDG_CONFIG_HOME: join(home, 'empty') }), {
    open: OWN_FOLDER,
  }),
  byVariables(
    'home',
    'HOME',
    ({ home }) => ({ HOME: join(home, 'empty'), XDG_CONFIG_HOME: join(home, 'empty/.config') }),
    { open: OWN_FOLDER },
  ),
  loosened({
    name: 'mcp-arguments',
    attack: 'a policy loosened by arguments',
    surface: 'MCP _meta of the call',
    attempt: (world, click) =>
      overMcp(world, click, { policy: 'allow', security_mode: 'normal', allowed_apps: ['ledger'] }),
  }),
  loosened({
    name: 'mcp-environment',
    attack: "a policy loosened by a client's settings",
    surface: 'env of the MCP client',
    attempt: (world, click) =>
      overMcp(world, click, {}, { DESKTERITY_SECURITY_MODE: 'normal', DESKTERITY_ALLOWED_APPS: 'ledger' }),
  }),
  loosened({
    name: 'mcp-config-folder',
    attack: "a policy loosened by a client's settings",
    surface: 'XDG_CONFIG_HOME in the env of the MCP client',
    open: OWN_FOLDER,
    attempt: (world, click) => overMcp(world, click, {}, { XDG_CONFIG_HOME: join(world.home, 'empty') }),
  }),
  byProject('project-policy', 'policy.toml', 'mode = "normal"\n[applications]\nallowed = ["*"]\n', DENIED),
  byProject('project-mode', 'policy.toml', 'mode = "normal"\n', SANDBOXED),
  byProject('project-config', 'config.toml', '[policy]\nmode = "normal"\n', SANDBOXED),
  malformed('syntax', 'policy.toml, a bracket is missing', '[applications\n'),
  malformed('unknown-key', 'policy.toml, an unknown key', '[aplications]\ndenied = ["ledger"]\n'),
  malformed('wrong-type', 'policy.toml, a text in place of a list', '[applications]\ndenied = "ledger"\n'),
  malformed('unknown-mode-in-file', 'policy.toml, an unknown mode', 'mode = "sandbox"\n'),
  malformed('prototype', 'policy.toml, keys of the prototype', '[__proto__]\nmode = "normal"\n'),
  malformed('too-large', 'policy.toml of 300 kB', `# ${'x'.repeat(300_000)}\n`),
  replaced('writable', 'policy.toml that others can write', (file) =>
    writeFile(file, '', { mode: 0o666 }).then(() =>
      import('node:fs/promises').then(({ chmod }) => chmod(file, 0o666)),
    ),
  ),
  replaced('folder', 'a folder in its place', (file) => mkdir(file)),
  replaced('fifo', 'a FIFO in its place', (file, world) => world.run('/usr/bin/mkfifo', [file])),
  replaced('dangling', 'a link to nothing in its place', (file) => symlink('/nonexistent/policy.toml', file)),
  replaced('link-to-project', 'a link to a file of the project in its place', async (file, world) => {
    const theirs = join(world.project, 'policy.toml');
    await writeFile(theirs, 'mode = "normal"\n', { mode: 0o600 });
    await symlink(theirs, file);
  }),
  written('confined-write', 'sandboxed-shell, by its path', (file) => `echo > ${file}; rm -f ${file}`),
  written(
    'confined-write-in-folder',
    'sandboxed-shell, started in the folder of the policy',
    () => 'rm -f policy.toml; echo > policy.toml',
    true,
  ),
  loosened({
    name: 'login-shell-write',
    attack: 'a policy written by a shell that is not confined',
    surface: 'terminal execute',
    open: 'a login shell may write what its user may write, also the policy',
    attempt: async (world, click) => {
      const file = join(world.configFolder, 'policy.toml');
      await world.desk(['terminal', 'execute', `rm -f '${file}'`, '--tag', 'loosen']);
      return world.desk(click);
    },
  }),
];
