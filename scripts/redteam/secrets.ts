import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { withoutSecret, type Attack } from './row.ts';
import { repositoryFile, type World } from './world.ts';

const SECRET = 'correct-horse-battery-7';
const TYPED = 'typed-text-that-nobody-logs';
const COPIED = 'copied-text-that-nobody-logs';
const TOOL_SECRET = 'ghp-token-of-the-tool-1234';
const SERVER_SECRET = 'server-token-abcd-9876';
const APP = 'victim.py';

let given: Promise<void> | undefined;

/** Puts the secret into a field that shows what it contains. */
function giveSecret(world: World): Promise<void> {
  given ??= (async () => {
    const ref = await world.ref('Plain', APP);
    await world.desk(['set-value', ref, '--from-env', 'SITE'], { SITE: SECRET });
    const log = await readFile(`${world.home}/victim.log`, 'utf8').catch(() => '');
    if (!log.includes(SECRET)) throw new Error('the field did not get the secret');
  })();
  return given;
}

function repeats(
  surface: string,
  args: (world: World) => Promise<readonly string[]> | readonly string[],
): Attack {
  return {
    attack: 'a secret of --from-env that a field shows',
    surface,
    run: async (world) => {
      await giveSecret(world);
      const reply = await world.desk(await args(world));
      if (reply.exitCode !== 0 && surface !== 'an error')
        return { held: null, code: reply.code, evidence: reply.shown.slice(0, 200) };
      return withoutSecret(reply.shown, SECRET, reply.code);
    },
  };
}

async function toolFile(world: World): Promise<void> {
  await writeFile(
    `${world.project}/.deskterity/tools/leak.json`,
    JSON.stringify({
      name: 'leak',
      description: 'Prints a variable.',
      command: 'sh',
      positional_args: [
        { name: 'script', type: 'string', format: 'path', description: 'A script.', required: true },
      ],
      sandbox: { environment: { pass: ['TOOL_TOKEN'] } },
    }),
  );
  await world.desk(['tools', 'trust', '.deskterity/tools/leak.json']);
}

export const secrets: readonly Attack[] = [
  repeats('snapshot', () => ['snapshot', '--app', APP]),
  repeats('get text', async (world) => ['get', 'text', await world.ref('Plain', APP)]),
  repeats('find', () => ['find', 'Plain', '--app', APP]),
  repeats('journal', () => ['journal']),
  repeats('an error', async (world) => [
    'expect',
    await world.ref('Plain', APP),
    '--value',
    'other',
    '--timeout',
    '200',
  ]),
  {
    attack: 'a secret of --from-env',
    surface: 'logs, state and configuration files',
    run: async (world) => {
      await giveSecret(world);
      return withoutSecret(await world.keptFiles(), SECRET);
    },
  },
  {
    attack: 'a secret of --from-env',
    surface: 'command line and variables of the daemon',
    run: async (world) => {
      await giveSecret(world);
      const pid = /"daemon":\{[^}]*"pid":(\d+)/.exec((await world.desk(['status'])).stdout)?.[1];
      if (pid === undefined) return { held: null, evidence: 'the daemon was not found' };
      const [line, variables] = await Promise.all([
        readFile(`/proc/${pid}/cmdline`, 'utf8'),
        readFile(`/proc/${pid}/environ`, 'utf8'),
      ]);
      return withoutSecret(line + variables, SECRET);
    },
  },
  {
    attack: 'typed text',
    surface: 'logs',
    run: async (world) => {
      await world.desk(['type', await world.ref('Plain', APP), TYPED, '--verbose']);
      const log = await readFile(`${world.home}/victim.log`, 'utf8');
      if (!log.includes(TYPED)) return { held: null, evidence: 'it was not typed' };
      return withoutSecret(await world.keptFiles(true), TYPED);
    },
  },
  {
    attack: 'copied text',
    surface: 'logs',
    run: async (world) => {
      await world.desk(['clipboard', 'set', COPIED, '--verbose']);
      await world.desk(['clipboard', 'get']);
      return withoutSecret(await world.keptFiles(true), COPIED);
    },
  },
  {
    attack: 'typed text in a wrong call',
    surface: 'logs',
    run: async (world) => {
      await world.wrongCall(['type', '@e9999', `${TYPED}-2`]);
      await world.wrongCall([`${TYPED}-3`]);
      const files = await world.keptFiles(true);
      const outcome = withoutSecret(files, `${TYPED}-2`);
      return outcome.held === true ? withoutSecret(files, `${TYPED}-3`) : outcome;
    },
  },
  {
    attack: 'a secret of --from-env that a program prints in base64',
    surface: 'terminal execute',
    run: async (world) => {
      await giveSecret(world);
      const encoded = Buffer.from(SECRET).toString('base64');
      const reply = await world.desk([
        'terminal',
        'execute',
        `echo ${encoded}; echo ${SECRET}`,
        '--tag',
        'secret',
        '--format',
        'outline',
      ]);
      const outcome = withoutSecret(reply.shown, SECRET, reply.code);
      return outcome.held === true
        ? withoutSecret(reply.shown, encoded.replace(/=+$/, ''), reply.code)
        : outcome;
    },
  },
  {
    attack: 'a variable that a tool file passes on',
    surface: 'answer of the tool',
    run: async (world) => {
      await toolFile(world);
      await writeFile(`${world.project}/print.sh`, 'echo "token: $TOOL_TOKEN"\n');
      const reply = await world.desk(['run-tool', 'leak', '{"script":"print.sh"}'], {
        TOOL_TOKEN: TOOL_SECRET,
      });
      if (!reply.shown.includes('token: '))
        return { held: null, code: reply.code, evidence: reply.shown.slice(0, 200) };
      return withoutSecret(reply.shown, TOOL_SECRET, reply.code);
    },
  },
  {
    attack: 'a variable that a tool file passes on, written to a file',
    surface: 'later answer of a confined command',
    run: async (world) => {
      await toolFile(world);
      await writeFile(`${world.project}/keep.sh`, 'echo "kept $TOOL_TOKEN" > kept.txt\n');
      await world.desk(['run-tool', 'leak', '{"script":"keep.sh"}'], { TOOL_TOKEN: TOOL_SECRET });
      const file = await readFile(`${world.project}/kept.txt`, 'utf8').catch(() => '');
      if (!file.includes(TOOL_SECRET)) return { held: null, evidence: 'the tool did not get the variable' };
      const reply = await world.desk(['sandboxed-shell', 'cat kept.txt']);
      return withoutSecret(reply.shown, TOOL_SECRET, reply.code);
    },
  },
  {
    attack: 'a secret of the configuration that the server repeats',
    surface: 'answer of another server',
    run: async (world) => {
      await mkdir(`${world.project}/.deskterity`, { recursive: true });
      const file = '.deskterity/mcp.json';
      const args = [repositoryFile('fixtures/mcp-server/server.mjs'), '--secret', SERVER_SECRET];
      await writeFile(
        `${world.project}/${file}`,
        JSON.stringify({
          mcpServers: { talker: { command: process.execPath, args, env: { TOKEN: SERVER_SECRET } } },
        }),
      );
      await world.desk(['tools', 'trust', file]);
      const reply = await world.desk(['tools', 'call', 'talker__echo', '{"text":"a"}']);
      if (reply.exitCode !== 0) return { held: null, code: reply.code, evidence: reply.shown.slice(0, 200) };
      return withoutSecret(reply.shown, SERVER_SECRET, reply.code);
    },
  },
  {
    attack: 'a secret of the configuration that comes another way',
    surface: 'terminal of the same session',
    run: async (world) => {
      const reply = await world.desk([
        'terminal',
        'execute',
        `echo ${SERVER_SECRET}`,
        '--tag',
        'secret',
        '--format',
        'outline',
      ]);
      return withoutSecret(reply.shown, SERVER_SECRET, reply.code);
    },
  },
];
