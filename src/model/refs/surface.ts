import { z } from 'zod';
import { Bounds } from '../tree/bounds.ts';
import { quote } from '../text/untrusted-text.ts';

/** What can be open over the rest of an application. */
export const SURFACE_KINDS = ['menu', 'dialog', 'sheet', 'popover', 'list', 'tooltip'] as const;
export type SurfaceKind = (typeof SURFACE_KINDS)[number];

/** Something that is open over the rest of its application. */
export const Surface = z
  .object({
    ref: z.string().optional().describe('Absent if the application does not describe it.'),
    kind: z
      .enum(SURFACE_KINDS)
      .describe(
        '"dialog": a window of its own; "sheet": a dialog inside its window; "list": that of a combo box; "popover": any other popup.',
      ),
    title: z.string(),
    app: z.string(),
    pid: z.int(),
    window: z.string().optional().describe('The window it belongs to (@w3).'),
    modal: z.boolean().describe('Whether it blocks that window until it is answered.'),
    inside: z.string().optional().describe('The surface that contains it, such as the menu of a submenu.'),
    items: z.int().nonnegative().optional().describe('How many usable elements show in it.'),
    bounds: Bounds.optional(),
    reason: z.string().optional().describe('Why it has no reference.'),
  })
  .meta({ id: 'Surface' });
export type Surface = z.output<typeof Surface>;

/** `menu "File" @e4 (12 items) of @w1 in @e3` */
export function outlineSurface(surface: Surface): string {
  const { ref, kind, title, app, window, modal, inside, items, reason } = surface;
  const parts = [
    kind,
    ...(title === '' ? [] : [quote(title)]),
    ...(ref === undefined ? [] : [ref]),
    ...(modal ? ['modal'] : []),
    ...(items === undefined ? [] : [`(${items} ${items === 1 ? 'item' : 'items'})`]),
    ...(inside === undefined ? [] : [`in ${inside}`]),
    `of ${window === undefined ? '' : `${window} `}${quote(app)}`,
    ...(reason === undefined ? [] : [`: ${reason}`]),
  ];
  return parts.join(' ');
}
