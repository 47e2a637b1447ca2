import { expect, it } from 'vitest';
import launch from '../../src/commands/apps/launch.ts';
import screenshot from '../../src/commands/observation/screenshot.ts';
import sessionView from '../../src/commands/sessions/session-view.ts';
import type { CommandContext, CommandDefinition } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';

const bytes = new Uint8Array([1]);
const picture = {
  bytes,
  width: 1,
  height: 1,
  origin: { x: 0, y: 0 },
  scale: 1,
  clipped: false,
  blanked: 0,
  unread: [],
  labels: [],
};

interface Written {
  readonly path: string;
  readonly mode: number | undefined;
}

/** Runs a command for a caller that has no folder of its own, and tells what it wrote and launched. */
async function fromNowhere(definition: CommandDefinition, input: unknown) {
  const written: Written[] = [];
  const launchedIn: string[] = [];
  const [command] = createRegistry([definition]).commands;
  if (command === undefined) throw new Error('no command');
  const files: CommandContext['files'] = {
    read: async () => undefined,
    writeAtomic: async (path, _, options) => void written.push({ path, mode: options?.mode }),
    find: async () => undefined,
  };
  const { ctx } = fakeDesktop(
    {
      screenshot: async () => picture,
      launch: async ({ cwd }) => {
        launchedIn.push(cwd);
        return { app: 'x', pid: 1, command: ['x'], adjustments: [], window: undefined };
      },
    },
    { files, cwd: '' },
  );
  const sessions: CommandContext['sessions'] = { ...ctx.sessions, picture: async () => picture };
  await invoke(command, { ...ctx, sessions }, input);
  return { written, launchedIn };
}

it.each<[CommandDefinition, unknown]>([
  [screenshot, { path: 'x.png' }],
  [screenshot, {}],
  [sessionView, { path: './x.png' }],
  [sessionView, {}],
  [launch, { app: './program' }],
  [launch, { app: 'kate', args: ['notes.txt'] }],
])('a path relative to a removed folder is refused (%#)', async (command, input) => {
  await expect(fromNowhere(command, input)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    suggestion: 'Use absolute paths, or change to an existing folder first.',
  });
});

it('absolute paths need no folder, and pictures are readable only by their owner', async () => {
  const expected = [{ path: '/pictures/x.png', mode: 0o600 }];
  expect((await fromNowhere(screenshot, { path: '/pictures/x.png' })).written).toEqual(expected);
  expect((await fromNowhere(sessionView, { path: '/pictures/x.png' })).written).toEqual(expected);
  expect((await fromNowhere(launch, { app: 'kate', args: ['/notes.txt'] })).launchedIn).toEqual(['/']);
});
