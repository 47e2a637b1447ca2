import { onElements, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { semanticCommand } from '../element-command.ts';

export default semanticCommand({
  name: 'focus',
  guarantee: onElements({
    accessibility: {
      disturbs: 'focus',
      confirmedBy: STATE_READ_AGAIN,
      except: 'in GTK 3 and Chromium, which also raise and activate the window, and in GTK 4, which refuses',
    },
    pointer: { disturbs: 'focus and pointer', confirmedBy: STATE_READ_AGAIN },
  }),
  title: 'Focus an element',
  toolsets: ['input'],
  idempotent: true,
  summary: 'Give an element the keyboard focus.',
  description:
    'Other acts do not need it, and it may disturb the user: GTK 3 and Chromium also raise and activate the window. Qt obeys only in the active window. GTK 4 never obeys: a text field is clicked instead, and other elements are refused. ' +
    '"confirmed" means that a fresh read shows the focus and the application reported it.',
  examples: [
    { about: 'Focus a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
});
