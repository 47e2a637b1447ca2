import { onElements, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { semanticAct } from '../../registry/define.ts';
import { elementCommand } from '../element-command.ts';

export default elementCommand({
  name: 'focus',
  group: 'interaction',
  kind: 'act',
  guarantee: onElements({
    accessibility: {
      disturbs: 'focus',
      confirmedBy: STATE_READ_AGAIN,
      except: 'GTK 3 and Chromium raise and activate the window with it; GTK 4 refuses',
    },
    pointer: { disturbs: 'focus and pointer', confirmedBy: STATE_READ_AGAIN },
  }),
  title: 'Give the focus',
  toolsets: ['input'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Give an element the keyboard focus.',
  description:
    'No other act needs it, and this one may disturb whoever is at the desktop: GTK 3 and Chromium raise and activate the window with it. Qt obeys only in the active window, GTK 4 never: then a text field is clicked, and others are refused. ' +
    '"confirmed" means that a fresh read shows the focus there and the application said so.',
  examples: [
    { about: 'Focus a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
  run: (ctx, input) => semanticAct(ctx, 'focus', input),
});
