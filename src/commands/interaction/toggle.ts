import { byAnyMeans, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { semanticAct } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'toggle',
  group: 'interaction',
  kind: 'act',
  guarantee: byAnyMeans(STATE_READ_AGAIN),
  title: 'Switch on or off',
  toolsets: ['core'],
  needs: ['tree'],
  summary: 'Switch a check box, switch, toggle button or check item to its other state.',
  description:
    'It is switched even if it is as wanted already: look at its states first. A radio button that is on stays on, and nothing is sent. One that stays as it was is a failure.',
  examples: [
    { about: 'Switch a check box', input: { ref: '@e5' } },
    { about: 'Give a slow application more time', input: { ref: '@e5', timeout_ms: 30_000 } },
  ],
  run: (ctx, input) => semanticAct(ctx, 'toggle', input),
});
