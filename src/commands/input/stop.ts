import { stopCommand } from './stop-command.ts';

export default stopCommand({
  act: 'stopActing',
  now: 'Now',
  name: 'stop',
  title: 'Stop all acting',
  summary: 'End all acting on this desktop at once, by every session, until a person allows it again.',
  description:
    'Calls that act are cancelled, keys and buttons that are held down are let go, and further acts are refused with POLICY_DENIED; looking goes on. A person allows acting again with the command "resume". The hot-key does the same where the display lets us listen for it.',
});
