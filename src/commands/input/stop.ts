import { stopCommand } from './stop-command.ts';

export default stopCommand({
  act: 'stopActing',
  now: 'Now',
  name: 'stop',
  title: 'Stop all acting',
  summary: 'Stop all acting on this desktop at once, by every session, until a person allows it again.',
  description:
    'Running acts are cancelled, held keys and buttons are released, and further acts are refused with POLICY_DENIED; reading still works. A person allows acting again with the command "resume". The hot-key does the same if the display supports it.',
});
