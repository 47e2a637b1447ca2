import { byAnyStrategy, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { semanticCommand } from '../element-command.ts';

export default semanticCommand({
  name: 'collapse',
  guarantee: byAnyStrategy(STATE_READ_AGAIN),
  toolsets: ['input'],
  idempotent: true,
  summary: 'Collapse a tree row, a disclosure or a combo box.',
  description:
    'Nothing is sent if it is collapsed already. An element that does not report whether it is expanded, such as a menu, is refused: the same action would open it.',
  examples: [
    { about: 'Collapse a row of a tree', input: { ref: '@e9' } },
    { about: 'Give a slow application more time', input: { ref: '@e9', timeout_ms: 30_000 } },
  ],
});
