import { z } from 'zod';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { OutputNode } from '../../../../model/tree/node.ts';
import { invalid } from '../invalid-parameter.ts';
import type { AxCall } from './ax-call.ts';
import { app, query } from './ax-reading.ts';
import { axTool, type AxTool } from './ax-tool.ts';

const clickType = z.enum(['single', 'double', 'right']).default('single');
const mode = z.enum(['background', 'focus']).default('background');
const pixel = z.int().min(-32_767).max(32_767);

const CLICKS = { single: 'click', double: 'double-click', right: 'right-click' } as const;
const CLICKS_AT = {
  single: {},
  double: { count: 2 },
  right: { button: 'right' },
} as const;
/** The keys of a Mac by what does the same here. */
const MODIFIERS = { cmd: 'mod', ctrl: 'ctrl', opt: 'alt', shift: 'shift' } as const;

const Focused = z.object({ element: OutputNode.nullable() });

/** The tools that act: each with its command, parameters and answer. */
export const AX_ACTING: readonly AxTool[] = [
  axTool({
    name: 'ax_click',
    title: 'Click UI element',
    description:
      'Click an element. background never takes focus or pointer, and is refused where that is not possible; focus may use both, which double and right need.',
    commands: ['click', 'double-click', 'right-click', 'find', 'list-windows'],
    parameters: z.strictObject({ app, query, click_type: clickType, mode }),
    reads: false,
    mayDestroy: true,
    run: async (call, { app: of, query: wanted, click_type, mode: how }) => ({
      said: await call.run(CLICKS[click_type], { ref: await call.element(of, wanted), ...means(how) }),
    }),
  }),
  axTool({
    name: 'ax_click_at',
    title: 'Click at screen coordinates',
    description: 'Click at a point on the screen with the pointer, whatever is there.',
    commands: ['mouse click'],
    parameters: z.strictObject({ x: pixel, y: pixel, click_type: clickType }),
    reads: false,
    mayDestroy: true,
    run: async (call, { x, y, click_type }) => ({
      said: await call.run('mouse click', { x, y, ...CLICKS_AT[click_type] }),
    }),
  }),
  axTool({
    name: 'ax_type',
    title: 'Type text into element',
    description:
      'Type text into an element at the caret, or into the element of the application that has the focus. background uses accessibility only; focus may use the keyboard.',
    commands: ['type', 'focused', 'find', 'list-windows'],
    parameters: z.strictObject({
      app,
      query: query.describe('Element to type into (optional if element is focused)').optional(),
      text: z.string().min(1).max(100_000),
      clear_first: z.boolean().default(false).describe('Clear existing text before typing'),
      mode,
    }),
    reads: false,
    mayDestroy: true,
    run: async (call, { app: of, query: wanted, text, clear_first, mode: how }) => {
      const ref = wanted === undefined ? await focusedIn(call, of) : await call.element(of, wanted);
      return { said: await call.run('type', { ref, text, clear_first, ...means(how) }) };
    },
  }),
  axTool({
    name: 'ax_set_value',
    title: 'Set element value',
    description: 'Set the value of a field, slider, spin button or check box (on, off).',
    commands: ['set-value', 'find', 'list-windows'],
    parameters: z.strictObject({ app, query, value: z.string().max(100_000) }),
    reads: false,
    mayDestroy: true,
    isIdempotent: true,
    run: async (call, { app: of, query: wanted, value }) => ({
      said: await call.run('set-value', { ref: await call.element(of, wanted), value }),
    }),
  }),
  axTool({
    name: 'ax_scroll',
    title: 'Scroll within element',
    description: 'Scroll an element or the front window of an application with the wheel.',
    commands: ['scroll', 'find', 'list-windows'],
    parameters: z.strictObject({
      app,
      query: query.describe('Element to scroll within (optional)').optional(),
      direction: z.enum(['up', 'down', 'left', 'right']),
      amount: z.int().min(1).max(20_000).default(100).describe('Scroll amount in pixels (default: 100)'),
    }),
    reads: false,
    run: async (call, { app: of, query: wanted, direction, amount }) => {
      const where = wanted === undefined ? { app: of } : { ref: await call.element(of, wanted) };
      return { said: await call.run('scroll', { direction, amount, ...where }) };
    },
  }),
  axTool({
    name: 'ax_drag',
    title: 'Drag element or between positions',
    description:
      'Drag from an element or a point of the screen to another: give from_query, or from_x and from_y; the same for the end.',
    commands: ['drag', 'find', 'list-windows'],
    parameters: z.strictObject({
      app,
      from_query: query.describe('Source element query').optional(),
      to_query: query.describe('Target element query').optional(),
      from_x: pixel.optional(),
      from_y: pixel.optional(),
      to_x: pixel.optional(),
      to_y: pixel.optional(),
      duration_ms: z.int().min(0).max(60_000).default(500),
    }),
    reads: false,
    mayDestroy: true,
    run: async (call, { app: of, duration_ms, ...ends }) => {
      const from = await endOf(call, of, 'from', ends.from_query, [ends.from_x, ends.from_y]);
      const to = await endOf(call, of, 'to', ends.to_query, [ends.to_x, ends.to_y]);
      return { said: await call.run('drag', { from, to, duration_ms }) };
    },
  }),
  axTool({
    name: 'ax_key_press',
    title: 'Send keyboard shortcut',
    description:
      'Press a key or a combination in an application, which comes to the front, or where the focus is. cmd is Control on Linux and Windows, opt is Alt.',
    commands: ['press'],
    parameters: z.strictObject({
      app: app.describe('Target app (optional for global shortcuts)').optional(),
      key: z.string().min(1).max(40).describe("Key to press (e.g., 'return', 'escape', 'a', 'F5')"),
      modifiers: z
        .array(z.enum(['cmd', 'ctrl', 'opt', 'shift']))
        .max(8)
        .optional(),
    }),
    reads: false,
    mayDestroy: true,
    run: async (call, { app: of, key, modifiers = [] }) => {
      const keys = [...new Set(modifiers.map((name) => MODIFIERS[name])), key === '+' ? 'plus' : key];
      return { said: await call.run('press', { keys: keys.join('+'), app: of }) };
    },
  }),
];

/** `focus` allows every means, of which commands take the one that disturbs least. */
function means(how: 'background' | 'focus'): { readonly mode?: 'background' } {
  return how === 'background' ? { mode: 'background' } : {};
}

async function focusedIn(call: AxCall, of: string): Promise<string> {
  const { element } = await call.read('focused', { app: of }, Focused);
  if (element?.ref !== undefined) return element.ref;
  throw new DeskterityError('ELEMENT_NOT_FOUND', 'No element of this application has the focus.', {
    suggestion: 'Pass the element to type into as query.',
    delivered: false,
  });
}

/** One end of a drag. */
async function endOf(
  call: AxCall,
  of: string,
  side: 'from' | 'to',
  wanted: string | undefined,
  [x, y]: readonly [number | undefined, number | undefined],
): Promise<string> {
  const hasPoint = x !== undefined && y !== undefined;
  if (wanted !== undefined && x === undefined && y === undefined) return call.element(of, wanted);
  if (hasPoint && wanted === undefined) return `${x},${y}`;
  throw invalid(
    `The ${side === 'from' ? 'start' : 'end'} of the drag is not clear.`,
    `Pass either ${side}_query, or both ${side}_x and ${side}_y.`,
  );
}
