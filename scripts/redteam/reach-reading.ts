import { LEDGER_SECRET, LEDGER_TITLE } from './ledger.ts';
import type { Attack } from './row.ts';
import { against, inFront, refOf, said, shows, windowRef, type Args, type Prepare } from './way.ts';

const READ = 'a denied application, read';

function reads(name: string, surface: string, args: Args, prepare?: Prepare): Attack {
  return against(
    {
      attack: READ,
      surface,
      name,
      ...(prepare === undefined ? {} : { prepare }),
      attempt: (world, ledger, prepared) => world.desk(args(ledger, prepared)),
    },
    said,
  );
}

export const reading: readonly Attack[] = [
  reads('snapshot-by-process', 'snapshot, by process', ({ app }) => ['snapshot', '--app', app]),
  reads('snapshot-by-name', 'snapshot, by name', () => ['snapshot', '--app', 'ledger.py']),
  reads('snapshot-by-window', 'snapshot, by window', (_, ref) => ['snapshot', '--window', ref], windowRef),
  reads(
    'snapshot-of-everything',
    'snapshot of the active window',
    () => ['snapshot', '--whole-tree'],
    inFront,
  ),
  reads('find-everywhere', 'find, in all windows', () => ['find', 'ledger', '--limit', '50']),
  reads('find-by-window', 'find, by window', (_, ref) => ['find', 'Amount', '--window', ref], windowRef),
  reads(
    'get-by-reference',
    'get value, by an older reference',
    (_, ref) => ['get', 'value', ref],
    refOf('Amount'),
  ),
  reads('get-attributes', 'get text, by locator', ({ app }) => ['get', 'text', `app:${app} >> role:textbox`]),
  reads('title', 'get title', (_, ref) => ['get', 'title', '--window', ref], windowRef),
  reads('list-windows', 'list-windows', () => ['list-windows']),
  reads('list-apps', 'list-apps --with-windows', () => ['list-apps', '--with-windows']),
  reads('focused', 'focused', () => ['focused'], inFront),
  reads(
    'alias',
    'an alias of connect',
    () => ['snapshot', '--app', 'book'],
    async (world, { app }) => {
      await world.prepare(['connect', app, '--alias', 'book']);
      return '';
    },
  ),
  reads('do-reads', 'a step of do', ({ app }) => ['do', `find Amount --app ${app}`]),
  reads(
    'workflow-reads',
    'a step of a workflow',
    (_, ref) => [
      'workflow',
      '--full',
      '--steps',
      JSON.stringify({ command: 'get', input: { property: 'value', ref } }),
    ],
    refOf('Amount'),
  ),
  against(
    {
      attack: READ,
      surface: 'a line of batch',
      name: 'batch-reads',
      attempt: (world, { app }) =>
        world.desk(['batch'], {}, `${JSON.stringify({ command: 'snapshot', input: { app } })}\n`),
    },
    said,
  ),
  against(
    {
      attack: READ,
      surface: 'journal, after it changed its title',
      name: 'journal',
      attempt: async (world, ledger) => {
        const { stdout } = await world.desk(['journal']);
        const cursor = /"cursor":"([^"]+)"/.exec(stdout)?.[1] ?? '';
        await ledger.tell();
        await world.desk(['wait', '400']);
        return world.desk(['journal', '--since', cursor]);
      },
    },
    said,
  ),
  against(
    {
      attack: 'a guess of what a denied application shows',
      surface: 'wait --text',
      name: 'wait-text',
      attempt: async (world, { app }) => {
        const reply = await world.desk(['wait', '--text', LEDGER_SECRET, '--app', app, '--timeout', '600']);
        return { code: reply.code, shown: reply.exitCode === 0 ? 'the guess is right' : reply.code };
      },
    },
    shows('the guess is right'),
  ),
  against(
    {
      attack: 'a guess of what a denied application shows',
      surface: 'wait --window',
      name: 'wait-window',
      attempt: async (world) => {
        const reply = await world.desk(['wait', '--window', LEDGER_TITLE, '--timeout', '600']);
        return { code: reply.code, shown: reply.exitCode === 0 ? 'the guess is right' : reply.code };
      },
    },
    shows('the guess is right'),
  ),
  against(
    {
      attack: 'a guess of what a denied application shows',
      surface: 'expect --value',
      name: 'expect-value',
      prepare: refOf('Approved'),
      attempt: async (world, _ledger, ref) => {
        const reply = await world.desk(['expect', ref, '--exists', '--timeout', '300']);
        return { code: reply.code, shown: reply.exitCode === 0 ? 'the guess is right' : reply.code };
      },
    },
    shows('the guess is right'),
  ),
];
