import { byAnyMeans, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { semanticAct } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'collapse',
  group: 'interaction',
  kind: 'act',
  guarantee: byAnyMeans(STATE_READ_AGAIN),
  title: 'Collapse',
  toolsets: ['input'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Collapse a tree row, a disclosure or a combo box.',
  description:
    'Nothing is sent if it is collapsed already. An element that does not report whether it is expanded, such as a menu, is refused: the same action would open it.',
  examples: [
    { about: 'Collapse a row of a tree', input: { ref: '@e9' } },
    { about: 'Give a slow application more time', input: { ref: '@e9', timeout_ms: 30_000 } },
  ],
  run: (ctx, input) => semanticAct(ctx, 'collapse', input),
});
