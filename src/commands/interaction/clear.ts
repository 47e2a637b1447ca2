import { byText } from '../../model/effects/guarantees.ts';
import { semanticCommand } from '../element-command.ts';

export default semanticCommand({
  name: 'clear',
  guarantee: byText(),
  title: 'Clear a field',
  toolsets: ['input'],
  idempotent: true,
  summary: 'Clear a text field.',
  description:
    '"confirmed" means that the field was read again and is empty. Nothing is sent if it is empty already. Number fields cannot be empty and are refused.',
  examples: [
    { about: 'Clear a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
});
