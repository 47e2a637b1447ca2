import { readFile, stat } from 'node:fs/promises';
import { startFixture } from '../../fixtures/driver.ts';
import { coloursIn } from './picture.ts';
import { withoutSecret, NotPossible, type Attack, type Outcome } from './row.ts';
import { repositoryFile, type World } from './world.ts';

export const PASSWORD = 'tr0ub4dor-and-3';
const APP = 'victim.py';

/** An answer that reads the password field in some way. */
function reads(
  attack: string,
  surface: string,
  args: (world: World) => Promise<readonly string[]> | readonly string[],
): Attack {
  return {
    attack,
    surface,
    run: async (world) => {
      const reply = await world.desk(await args(world));
      if (reply.exitCode !== 0) return { held: null, code: reply.code, evidence: reply.shown.slice(0, 200) };
      return withoutSecret(reply.shown, PASSWORD, reply.code);
    },
  };
}

const field = (world: World): Promise<string> => world.ref('Password', APP);

const readings = (attack: string): readonly Attack[] => [
  reads(attack, 'snapshot', () => ['snapshot', '--app', APP]),
  reads(attack, 'snapshot of the whole tree', () => ['snapshot', '--app', APP, '--whole-tree']),
  reads(attack, 'find', () => ['find', 'Password', '--app', APP]),
  reads(attack, 'get value', async (world) => ['get', 'value', await field(world)]),
  reads(attack, 'get text', async (world) => ['get', 'text', await field(world)]),
  reads(attack, 'get attributes', async (world) => ['get', 'attributes', await field(world)]),
  reads(attack, 'snapshot --mirror', () => ['snapshot', '--app', APP, '--mirror']),
  {
    attack,
    surface: 'MCP resource of the application',
    run: async (world) => {
      const client = await world.client('--toolsets', 'all');
      const { result, error } = await client.request('resources/templates/list', {});
      const templates = JSON.stringify(result ?? error);
      const template = /"uriTemplate":"([^"]*state[^"]*)"/.exec(templates)?.[1];
      if (template === undefined) throw new NotPossible(`no such template: ${templates.slice(0, 200)}`);
      const answer = await client.request('resources/read', { uri: template.replace(/\{[^}]*\}/, APP) });
      const text = JSON.stringify(answer);
      return text.includes('Password')
        ? withoutSecret(text, PASSWORD)
        : { held: null, evidence: text.slice(0, 160) };
    },
  },
];

/** A picture: decoded, and searched for a flat grey place where the field is. */
function pictured(
  attack: string,
  surface: string,
  args: (world: World) => Promise<readonly string[]>,
  variables: Readonly<Record<string, string>> = {},
): Attack {
  return {
    attack,
    surface,
    run: async (world) => {
      const file = `${world.home}/picture-${surface.replaceAll(/\W+/g, '-')}.png`;
      const ref = await field(world);
      const reply = await world.desk(['screenshot', file, ...(await args(world))], variables);
      const origin = JSON.parse(reply.stdout) as { origin?: { x: number; y: number } };
      const { stdout } = await world.desk(['get', 'bounds', ref]);
      const [, x, y, width, height] = (
        /"x":(-?\d+),"y":(-?\d+),"width":(\d+),"height":(\d+)/.exec(stdout) ?? []
      ).map(Number);
      if (
        origin.origin === undefined ||
        x === undefined ||
        y === undefined ||
        width === undefined ||
        height === undefined
      )
        return { held: null, code: reply.code, evidence: reply.shown.slice(0, 200) };
      // The reference of an annotated element is written at the left.
      const left = surface.includes('annotate') ? Math.floor(width / 2) - 8 : 0;
      const colours = coloursIn(await readFile(file), {
        x: Math.max(0, x - origin.origin.x + 4 + left),
        y: Math.max(0, y - origin.origin.y + 4),
        width: Math.floor(width / 2),
        height: height - 8,
      });
      return {
        held: [...colours].join() === '7f7f7f',
        code: reply.code,
        evidence: `colours where the field is: ${[...colours].slice(0, 4).join(' ')}; ${/"blanked":\d+/.exec(reply.stdout)?.[0] ?? 'nothing blanked'}`,
      };
    },
  };
}

const pictures = (attack: string): readonly Attack[] => [
  pictured(attack, 'screenshot of the window', async () => ['--app', APP]),
  pictured(attack, 'screenshot of the screen', async () => ['--screen']),
  pictured(attack, 'screenshot of the element', async (world) => ['--element', await field(world)]),
  pictured(attack, 'screenshot --annotate', async () => ['--app', APP, '--annotate']),
];

export const passwords: readonly Attack[] = [
  ...readings('the content of a password field'),
  ...pictures('the look of a password field'),
  pictured(
    'a variable that switches the blanking off',
    'screenshot by the variable',
    async () => ['--app', APP],
    {
      DESKTERITY_REDACTION_PASSWORD_FIELDS: 'false',
    },
  ),
  {
    attack: 'a guess that tells whether it is right',
    surface: 'expect --value',
    run: async (world) => {
      const reply = await world.desk(['expect', await field(world), '--value', PASSWORD, '--timeout', '300']);
      return {
        held: reply.exitCode !== 0,
        code: reply.code,
        evidence: `the right guess: exit ${reply.exitCode}`,
      };
    },
  },
  {
    attack: 'a guess that tells whether it is right',
    surface: 'find by value',
    run: async (world) => {
      const reply = await world.desk(['find', PASSWORD, '--app', APP]);
      return {
        held: !/"ref":/.test(reply.stdout),
        code: reply.code,
        evidence: 'the right guess finds nothing',
      };
    },
  },
  {
    attack: 'a password switched to be shown',
    surface: 'click Show the password',
    run: async (world) => {
      const reply = await world.desk(['toggle', await world.ref('Show the password', APP)]);
      const log = await readFile(`${world.home}/victim.log`, 'utf8');
      if (!log.includes('"show"'))
        return { held: null, evidence: `it was not switched: ${reply.shown.slice(0, 150)}` };
      return withoutSecret(reply.shown, PASSWORD, reply.code);
    },
  },
  ...readings('a password that is shown now'),
  ...pictures('a password that is shown now'),
  reads('a password that is shown now', 'journal', () => ['journal']),
  reads('a password that is shown now', 'focused', () => ['focused']),
  {
    attack: 'the password that was there before',
    surface: 'set-value and undo',
    run: async (world) => {
      const ref = await field(world);
      const set = await world.desk(['set-value', ref, 'another-one-9']);
      const undone = await world.desk(['undo']);
      const files = await world.keptFiles();
      return withoutSecret(set.shown + undone.shown + files, PASSWORD, set.code);
    },
  },
  echoMode('NoEcho'),
  echoMode('PasswordEchoOnEdit'),
  echoMode('Password'),
  {
    attack: 'a password of Qt that is shown now',
    surface: 'Qt 5, snapshot',
    run: async (world) => {
      await openQt(world);
      await world.desk(['snapshot', '--app', 'echo-modes']);
      await world.desk(['toggle', await world.ref('Show it', 'echo-modes')]);
      const reply = await world.desk(['snapshot', '--app', 'echo-modes']);
      if (!reply.stdout.includes('public')) return { held: null, evidence: reply.shown.slice(0, 200) };
      return withoutSecret(reply.shown, PASSWORD, reply.code);
    },
  },
  fixtureField('gtk4'),
  fixtureField('qt6'),
  fixtureField('swing'),
];

let qt: Promise<unknown> | undefined;

function openQt(world: World): Promise<unknown> {
  qt ??= world.open(
    '/usr/bin/python3',
    [repositoryFile('fixtures/redteam/echo-modes.py'), JSON.stringify(['echo-modes', PASSWORD])],
    { QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1', AT_SPI_BUS_ADDRESS: undefined },
  );
  return qt;
}

function echoMode(mode: string): Attack {
  return {
    attack: `a field of Qt with the echo mode ${mode}`,
    surface: 'Qt 5, get value and text',
    run: async (world): Promise<Outcome> => {
      await openQt(world);
      await world.desk(['wait', '--window', 'echo-modes', '--timeout', '8000']);
      const ref = await world.ref(`Mode ${mode}`, 'echo-modes');
      if (ref === '@e0') return { held: null, evidence: 'the field was not found' };
      const value = await world.desk(['get', 'value', ref]);
      const text = await world.desk(['get', 'text', ref]);
      return withoutSecret(value.shown + text.shown, PASSWORD, value.code);
    },
  };
}

function fixtureField(kind: 'gtk4' | 'qt6' | 'swing'): Attack {
  return {
    attack: 'the content of a password field',
    surface: `${kind}, snapshot and get`,
    run: async (world) => {
      if (kind === 'swing' && !(await stat('/usr/bin/java').catch(() => undefined)))
        throw new NotPossible('Java is not installed');
      // Java aborts when its bridge tells a listener of a text with an emoji, and this one has some: it is started while nothing listens.
      if (kind === 'swing') await world.endDaemon();
      const fixture = await startFixture(kind, { environment: world.environment, deadlineMs: 20_000 });
      try {
        await fixture.control('set', { widget: 'password', property: 'text', value: PASSWORD });
        const app = String(fixture.pid);
        const named = `app:${app} >> role:textbox[name="Password"]`;
        await world.desk(['wait', '--element', named, '--timeout', '8000']);
        const snapshot = await world.desk([
          'snapshot',
          '--app',
          app,
          '--whole-tree',
          '--max-tokens',
          '20000',
        ]);
        const ref = await world.ref('Password', app);
        if (ref === '@e0')
          return {
            held: null,
            code: snapshot.code,
            evidence: `the field was not found: ${snapshot.shown.slice(0, 200)}`,
          };
        const value = await world.desk(['get', 'value', ref]);
        const text = await world.desk(['get', 'text', ref]);
        return withoutSecret(snapshot.shown + value.shown + text.shown, PASSWORD, value.code);
      } finally {
        await fixture.stop();
      }
    },
  };
}
