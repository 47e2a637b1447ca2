import { byText } from '../../model/effects/guarantees.ts';
import { semanticAct } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'clear',
  group: 'interaction',
  kind: 'act',
  guarantee: byText(),
  title: 'Clear a field',
  toolsets: ['input'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Clear a text field.',
  description:
    '"confirmed" means that the field was read again and is empty. Nothing is sent if it was empty already. Number fields cannot be empty and are refused.',
  examples: [
    { about: 'Clear a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
  run: (ctx, input) => semanticAct(ctx, 'clear', input),
});
