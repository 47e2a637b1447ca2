import { byAnyStrategy, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { semanticCommand } from '../element-command.ts';

export default semanticCommand({
  name: 'expand',
  guarantee: {
    ...byAnyStrategy(STATE_READ_AGAIN),
    accessibility: {
      disturbs: 'nothing',
      confirmedBy: STATE_READ_AGAIN,
      except:
        'for menus and lists, which take the next click and key once they are open: refused in the background',
    },
  },
  toolsets: ['input'],
  idempotent: true,
  summary: 'Expand a tree row, a disclosure, a combo box or a menu.',
  description:
    'Nothing is sent if it is expanded already. "confirmed" is based on its state or, if it reports none, on what appeared below it; "changes" lists that with references. ' +
    'If the toolkit offers no action, as with tree rows in Qt, the pointer or a key is used. An open menu or list takes the next click and key of the user, so it is not opened in the background.',
  examples: [
    { about: 'Expand a row of a tree', input: { ref: '@e9' } },
    { about: 'Give a slow application more time', input: { ref: '@e9', timeout_ms: 30_000 } },
  ],
});
