import { isAbsolute, join, normalize, relative } from 'node:path';
import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { callersFolder } from '../../model/configuration/callers-folder.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { outlineHome, outlineSession, SessionSummary } from '../../model/sessions/session-summary.ts';
import { defineCommand, flag, timeout, optionalText, callLimits } from '../../registry/define.ts';
import type { CommandContext } from '../../registry/define.ts';

const MIN = { width: 320, height: 200 };
const MAX_PIXELS = 16_384;

/** `1280x800` as numbers, if a screen can have that size. */
function parseSize(text: string): { width: number; height: number } | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(text) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const isPossible =
    size.width >= MIN.width && size.height >= MIN.height && Math.max(size.width, size.height) <= MAX_PIXELS;
  return isPossible ? size : undefined;
}

export default defineCommand({
  name: ['session', 'new'],
  group: 'sessions',
  kind: 'admin',
  summary: `Start a session with its own references and, with ${mentionParameter('private')}, its own desktop.`,
  description:
    `Calls join it with ${mentionParameter('session', 'NAME')} or DESKTERITY_SESSION=NAME. A private desktop is invisible, cannot access your windows, and ends with its session. Its programs have a HOME of their own, which is deleted with it, unless ${mentionParameter('home')} names one to keep. ` +
    'A name is generated if none is given; case does not matter.',
  input: z
    .object({
      name: optionalText('Name; letters, digits, dots, dashes and underscores.'),
      private: flag('Give it its own desktop.'),
      size: z
        .string()
        .refine((text) => parseSize(text) !== undefined, {
          error: `must be WIDTHxHEIGHT in pixels, from ${MIN.width}x${MIN.height} to ${MAX_PIXELS}x${MAX_PIXELS}`,
        })
        .optional()
        .describe('Screen size of the private desktop, such as 1280x800. Default: as configured.'),
      home: optionalText(
        `Folder that is HOME on the private desktop and stays when it ends; created if it does not exist. Default: a new one that is deleted with the session.`,
      ),
      display: optionalText(
        'Kind of display server for the private desktop. An unknown name is refused with the list of known ones. Default: the usual one of this system.',
      ),
      timeout_ms: timeout(30_000),
    })
    .refine(({ display, private: isPrivate }) => display === undefined || isPrivate, {
      path: ['display'],
      error: `requires ${mentionParameter('private')}: your own desktop has its display already`,
    })
    .refine(({ home, private: isPrivate }) => home === undefined || isPrivate, {
      path: ['home'],
      error: `requires ${mentionParameter('private')}: programs on your own desktop keep your HOME`,
    })
    .refine(({ size, private: isPrivate }) => size === undefined || isPrivate, {
      path: ['size'],
      error: `requires ${mentionParameter('private')}: the size of your own desktop is never changed`,
    }),
  positionals: ['name'],
  output: SessionSummary.extend({
    use: z.array(z.string()).describe('How a call joins the session: by flag or by variable.'),
  }),
  examples: [
    { about: 'A session on your desktop', input: { name: 'worker' } },
    { about: 'An invisible desktop', input: { name: 'worker', private: true, size: '1280x800' } },
    { about: 'One whose files stay', input: { private: true, home: '/home/ada/agent' } },
    { about: 'Only the generated name, for a script', input: { private: true }, format: 'text' },
  ],
  outline: (output) =>
    [outlineSession(output), ...outlineHome(output), `use it with ${output.use.join(' or ')}`].join('\n'),
  text: ({ name }) => name,
  run: async (ctx, input) => {
    const size = input.size === undefined ? undefined : parseSize(input.size);
    const { width, height } = size ?? ctx.configuration.values.private_desktop;
    const facts = await ctx.sessions.create({
      name: input.name,
      isPrivate: input.private,
      display: input.display,
      home: input.home === undefined ? undefined : await homeFolder(ctx, input.home),
      width,
      height,
      environment: ctx.environment,
      ...callLimits(ctx, input),
    });
    const use = [`--session ${facts.name}`, `DESKTERITY_SESSION=${facts.name}`];
    return { ...facts, use };
  },
});

/** @throws DeskterityError INVALID_ARGUMENT for the caller's own HOME, and a folder that contains it */
async function homeFolder({ cwd, environment, files }: CommandContext, given: string): Promise<string> {
  const folder = isAbsolute(given) ? normalize(given) : join(callersFolder(cwd), given);
  const own = environment['HOME'];
  if (own === undefined) return folder;
  // A link may lead to it. What cannot be read fails when it is to be used.
  const [realFolder, realOwn] = await Promise.all(
    [folder, own].map((path) => files.find(path).catch(() => undefined)),
  );
  const isSafe =
    !contains(folder, own) && !(realFolder && realOwn && contains(realFolder.path, realOwn.path));
  if (isSafe) return folder;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    'Your own HOME, and what it is in, cannot be the HOME of a private desktop.',
    {
      suggestion:
        'Its programs would change settings that are not theirs: name another folder, which may be inside your HOME.',
    },
  );
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(isAbsolute(way) || way.split('/')[0] === '..');
}
