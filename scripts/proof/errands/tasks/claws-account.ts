import { join } from 'node:path';
import type { Errand } from '../errand.ts';
import { hasLines } from '../lines.ts';

const claws: Errand = {
  name: 'Set up a mail account',
  application: 'claws-mail',
  package: 'claws-mail',
  task: 'Open Claws Mail and set up an account for Ada Lovelace, ada@example.org: receive by IMAP from imap.example.org as the user ada, send over smtp.example.org.',
  before: [
    ['launch', 'claws-mail', '--wait'],
    ['snapshot', '--app', 'claws-mail'],
    ['click', '<button "Next">'],
    ['snapshot', '--app', 'claws-mail'],
    ['set-value', 'app:claws-mail >> label:"Your name"', 'Ada Lovelace'],
    ['set-value', 'app:claws-mail >> label:"Your email address"', 'ada@example.org'],
    ['click', '<button "Next">'],
    ['snapshot', '--app', 'claws-mail'],
    ['select', '<combobox "POP3">', 'IMAP'],
    ['set-value', 'app:claws-mail >> label:"Server address"', 'imap.example.org'],
    ['set-value', 'app:claws-mail >> label:"Username"', 'ada'],
    ['click', '<button "Next">'],
    ['snapshot', '--app', 'claws-mail'],
    ['set-value', 'app:claws-mail >> label:"SMTP server address"', 'smtp.example.org'],
    ['click', '<button "Next">'],
    ['click', '<button "Save">'],
  ],
  now: [
    ['do', 'launch claws-mail --wait', 'click role:button[name=Next]', '--app', 'claws-mail'],
    [
      'do',
      'fill label:"Your name" "Ada Lovelace" label:"Your email address" ada@example.org',
      'click <button "Next">',
      '--app',
      'claws-mail',
    ],
    [
      'do',
      'fill <combobox "POP3"> IMAP label:"Server address" imap.example.org label:"Username" ada',
      'click <button "Next">',
      '--app',
      'claws-mail',
    ],
    [
      'do',
      'fill label:"SMTP server address" smtp.example.org',
      'click <button "Next">',
      'click <button "Save">',
      '--app',
      'claws-mail',
    ],
  ],
  check: async (home) =>
    hasLines(join(home, '.claws-mail/accountrc'), [
      'name=Ada Lovelace',
      'address=ada@example.org',
      'receive_server=imap.example.org',
      'smtp_server=smtp.example.org',
      'user_id=ada',
    ]),
};
export default claws;
