import { z } from 'zod';
import { mentionParameter } from '../../model/text/mention.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, flag } from '../../registry/define.ts';

export default defineCommand({
  name: 'setup',
  group: 'system',
  kind: 'admin',
  idempotent: true,
  surfaces: ['cli'],
  summary: 'Let KDE Plasma or GNOME do for Deskterity what they do only for programs that you allow.',
  description: `Writes into your home folder, and says what that allows and to whom: for KDE Plasma a file that admits Deskterity to keyboard, pointer and screenshots; for GNOME an extension that lists, raises, moves and resizes windows and takes pictures of them. ${mentionParameter('dry_run')} only shows it, ${mentionParameter('undo')} takes it back. Deskterity never does this by itself on your own desktop.`,
  input: z.object({
    desktop: z.string().min(1).max(40).describe('The kind of desktop: kde or gnome. Others need nothing.'),
    undo: flag('Remove what was set up.'),
    dry_run: flag('Show what would be done and write nothing.'),
  }),
  positionals: ['desktop'],
  output: z.object({
    desktop: z.string(),
    changed: z
      .boolean()
      .describe(`Whether anything was changed, or would be with ${mentionParameter('dry_run')}.`),
    dry_run: z.boolean(),
    file: z.string(),
    content: z.string().optional().describe('What the file contains afterwards; absent if it is not there.'),
    also: z.array(z.string()).describe('What else is written, removed or set.'),
    allows: z.string().describe('What is allowed, and to whom.'),
    next: z.string(),
  }),
  examples: [
    { about: 'Let KDE Plasma admit Deskterity', input: { desktop: 'kde' } },
    { about: 'See the file first', input: { desktop: 'kde', dry_run: true }, format: 'text' },
    { about: 'Let GNOME Shell arrange and show windows', input: { desktop: 'gnome' } },
    { about: 'Undo it', input: { desktop: 'gnome', undo: true } },
  ],
  outline: ({ changed, dry_run, file, content, also, allows, next }) => {
    const what = !changed ? 'nothing to change in' : dry_run ? 'would change' : 'changed';
    const lines = [`${what} ${reveal(file)}`, dry_run ? content : undefined, ...also, allows];
    return [...lines, changed && !dry_run ? next : undefined].filter((line) => line !== undefined).join('\n');
  },
  run: async (ctx, input) => {
    const setup = await ctx.desktopSetup(input.desktop);
    const { file, hasChanged, content, also, allows, next } = await setup.run({
      environment: ctx.environment,
      isUndo: input.undo,
      isTrial: input.dry_run,
    });
    return {
      desktop: input.desktop,
      changed: hasChanged,
      dry_run: input.dry_run,
      file,
      ...(content === undefined ? {} : { content }),
      also: [...also],
      allows,
      next,
    };
  },
});
