import { z } from 'zod';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { Connection } from '../../../../model/sessions/connection.ts';
import { invalid } from '../invalid-parameter.ts';
import type { AxCall } from './ax-call.ts';
import { axTool, type AxTool } from './ax-tool.ts';

/** What the dialect calls the acts that can be on the undo stack. */
const ACTS: Readonly<Record<string, string>> = {
  click: 'ax_click',
  'double-click': 'ax_click',
  'right-click': 'ax_click',
  'mouse click': 'ax_click_at',
  type: 'ax_type',
  'set-value': 'ax_set_value',
  scroll: 'ax_scroll',
  drag: 'ax_drag',
  press: 'ax_key_press',
  'clipboard set': 'ax_clipboard',
};

const Text = z.object({ text: z.string().optional() });
const Undone = z.object({
  undone: z.int(),
  skipped: z.int(),
  actions: z.array(z.object({ tool: z.string(), status: z.string() })),
});
const Session = z.object({
  actions: z.int(),
  undo_depth: z.int(),
  subscriptions: z.int(),
  created_at: z.string(),
  connections: z.array(Connection).optional(),
});

/** The tools about the session: what can be undone, its clipboard, and what it is. */
export const AX_SESSION: readonly AxTool[] = [
  axTool({
    name: 'ax_undo',
    title: 'Undo last actions',
    description:
      'Undo the last N actions performed by the server, and read whether all is as before. Irreversible actions (click, key_press) are skipped.',
    commands: ['undo'],
    parameters: z.strictObject({
      count: z.int().min(1).max(100).default(1).describe('Number of actions to undo (default: 1)'),
    }),
    output: z.object({
      undone: z.int(),
      skipped: z.int(),
      actions: z
        .array(
          z
            .object({
              tool: z.string(),
              status: z.enum(['undone', 'skipped_irreversible']),
            })
            .partial(),
        )
        .optional(),
    }),
    reads: false,
    run: async (call, { count }) => {
      const { actions, ...counts } = await call.read('undo', { count }, Undone);
      // The dialect has no status for what somebody else has brought back.
      const named = actions.map(({ tool, status }) => ({
        tool: ACTS[tool] ?? tool,
        ...(status === 'already_as_before' ? {} : { status }),
      }));
      return { data: { ...counts, actions: named } };
    },
  }),
  axTool({
    name: 'ax_clipboard',
    title: 'System clipboard',
    description: 'Read from or write to the system clipboard. An empty clipboard is success with no text.',
    commands: ['clipboard get', 'clipboard set'],
    parameters: z.strictObject({
      action: z.enum(['read', 'write']),
      text: z.string().max(1_000_000).describe("Text to write (when action is 'write')").optional(),
    }),
    output: z.object({
      text: z.string().describe('Clipboard content (when reading)').optional(),
      success: z.boolean(),
    }),
    reads: false,
    run: async (call, { action, text }) => {
      if (action === 'read') return { data: { success: true, ...(await clipboardText(call)) } };
      if (text === undefined) throw invalid('The parameter "text" is missing.', 'Pass the text to write.');
      const { effect } = await call.read('clipboard set', { text }, z.object({ effect: z.string() }));
      return { data: { success: effect === 'confirmed' } };
    },
  }),
  axTool({
    name: 'ax_session_info',
    title: 'Session information',
    description: 'Return the connected apps, the number of actions, and what can be undone.',
    commands: ['session info'],
    parameters: z.strictObject({}),
    output: z.object({
      connected_apps: z.array(z.string()),
      action_count: z.int(),
      undo_stack_depth: z.int().optional(),
      subscriptions: z.int().optional(),
      uptime_seconds: z.number().optional(),
      security_mode: z.enum(['normal', 'safe', 'sandboxed']).optional(),
    }),
    reads: true,
    run: async (call) => {
      const session = await call.read('session info', {}, Session);
      const ageMs = Date.now() - Date.parse(session.created_at);
      return {
        data: {
          connected_apps: (session.connections ?? []).map(({ app: name }) => name),
          action_count: session.actions,
          undo_stack_depth: session.undo_depth,
          subscriptions: session.subscriptions,
          ...(Number.isFinite(ageMs) ? { uptime_seconds: Math.max(0, Math.round(ageMs / 1000)) } : {}),
          security_mode: call.mode,
        },
      };
    },
  }),
];

async function clipboardText(call: AxCall): Promise<{ readonly text?: string }> {
  try {
    const { text } = await call.read('clipboard get', { kind: 'text', max_bytes: 1_048_576 }, Text);
    return text === undefined ? {} : { text };
  } catch (error) {
    if (error instanceof DeskterityError && error.code === 'CLIPBOARD_EMPTY') return {};
    throw error;
  }
}
