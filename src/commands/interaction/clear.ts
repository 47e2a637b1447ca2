import { byText } from '../../model/effects/guarantees.ts';
import { semanticAct } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'clear',
  group: 'interaction',
  kind: 'act',
  guarantee: byText(),
  title: 'Empty a field',
  toolsets: ['input'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Empty a text field.',
  description:
    'The text is read again afterwards: "confirmed" means that the field is now empty. Nothing is sent where it was empty already. Fields that hold a number cannot be empty and are refused.',
  examples: [
    { about: 'Empty a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
  run: (ctx, input) => semanticAct(ctx, 'clear', input),
});
