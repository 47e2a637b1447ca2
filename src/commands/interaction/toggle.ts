import { byAnyStrategy, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { semanticCommand } from '../element-command.ts';

export default semanticCommand({
  name: 'toggle',
  guarantee: byAnyStrategy(STATE_READ_AGAIN),
  toolsets: ['core'],
  summary: 'Toggle a check box, switch, toggle button or check item.',
  description:
    'Read its state first. A radio button that is on stays on; anything else that does not change is a failure.',
  examples: [
    { about: 'Toggle a check box', input: { ref: '@e5' } },
    { about: 'Give a slow application more time', input: { ref: '@e5', timeout_ms: 30_000 } },
  ],
});
