import { byAnyStrategy, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { semanticCommand } from '../element-command.ts';

export default semanticCommand({
  name: 'toggle',
  guarantee: byAnyStrategy(STATE_READ_AGAIN),
  toolsets: ['core'],
  summary: 'Toggle a check box, switch, toggle button or check item.',
  description:
    'Toggles regardless of the current state, so read that first. Nothing is sent to a radio button that is already on. Otherwise the call fails if the state does not change.',
  examples: [
    { about: 'Toggle a check box', input: { ref: '@e5' } },
    { about: 'Give a slow application more time', input: { ref: '@e5', timeout_ms: 30_000 } },
  ],
});
