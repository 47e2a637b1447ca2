import { onCommandLine } from '../../model/text/mention.ts';
import { z } from 'zod';
import { STATES, type State } from '../../model/tree/state.ts';
import { defineCommand, Target, TerminalChoice, timeout, callLimits } from '../../registry/define.ts';

const Question = z.enum(['visible', 'enabled', 'checked', 'focused', 'expanded']).describe('State to check.');

export default defineCommand({
  name: 'is',
  group: 'observation',
  kind: 'read',
  title: 'Check a state',
  toolsets: ['verify'],
  needs: ['tree'],
  summary: `Check whether an element is visible, enabled, checked, focused or expanded${onCommandLine('; exit code 1 means no')}.`,
  description:
    'Always a fresh read. "answer" is true or false, "states" lists all states of the element. visible means on screen and not hidden; a partly checked box is not checked.',
  input: z.object({
    state: Question,
    ref: Target,
    terminal: TerminalChoice.optional(),
    timeout_ms: timeout(5000),
  }),
  positionals: ['state', 'ref'],
  output: z.object({
    ref: z.string(),
    state: Question,
    answer: z.boolean(),
    states: z.array(z.enum(STATES)),
  }),
  examples: [
    { about: 'Whether a box is checked', input: { state: 'checked', ref: '@e5' } },
    { about: 'Whether a button can be pressed', input: { state: 'enabled', ref: '@e2' } },
  ],
  outline: ({ ref, state, answer, states }) =>
    `${ref} is ${answer ? '' : 'not '}${state}${states.length === 0 ? '' : ` (${states.join(', ')})`}`,
  text: ({ answer }) => String(answer),
  exitCode: ({ answer }) => (answer ? 0 : 1),
  run: async (ctx, input) => {
    const engine = await ctx.engine({ terminal: input.terminal, targets: [input.ref] });
    const info = await engine.describe({ ref: input.ref, ...callLimits(ctx, input) });
    const has = (state: State): boolean => info.allStates.includes(state);
    const answers = {
      visible: info.onScreen && !has('hidden') && !has('offscreen'),
      enabled: !has('disabled'),
      checked:
        (has('checked') || (info.node.role === 'togglebutton' && has('pressed'))) && !has('indeterminate'),
      focused: has('focused'),
      expanded: has('expanded'),
    };
    return {
      ref: info.node.ref ?? input.ref,
      state: input.state,
      answer: answers[input.state],
      states: [...info.allStates],
    };
  },
});
