import { join } from 'node:path';
import type { Errand } from '../errand.ts';
import { hasLines } from '../lines.ts';

const filezilla: Errand = {
  name: 'Add a site to the Site Manager',
  application: 'filezilla',
  package: 'filezilla',
  task: 'Open FileZilla and add a site Work to its Site Manager: host ftp.example.org, port 2121, logon type "Ask for password", user ada.',
  before: [
    ['launch', 'filezilla', '--wait'],
    ['snapshot', '--app', 'filezilla'],
    ['click', '<button "OK">'],
    ['menu', 'File > Site Manager...', '--app', 'filezilla'],
    ['snapshot', '--app', 'filezilla'],
    ['click', '<button "New site">'],
    ['snapshot', '--app', 'filezilla'],
    ['set-value', 'app:filezilla >> role:textbox[value="New site"]', 'Work'],
    ['press', 'Enter', '--app', 'filezilla'],
    ['set-value', '<textbox "Host:">', 'ftp.example.org'],
    ['set-value', '<textbox "Port:">', '2121'],
    ['select', '<combobox "Logon Type:">', 'Ask for password'],
    ['set-value', '<textbox "User:">', 'ada'],
    ['click', '<button "OK">'],
    ['snapshot', '--app', 'filezilla'],
    ['click', '<button "OK">'],
  ],
  now: [
    ['do', 'launch filezilla --wait'],
    ['do', 'click <button "OK">', 'menu "File > Site Manager..."', '--app', 'filezilla'],
    [
      'do',
      'click <button "New site">',
      'type Work',
      'press Enter',
      'fill <textbox "Host:"> ftp.example.org <textbox "Port:"> 2121 <combobox "Logon Type:"> "Ask for password" <textbox "User:"> ada',
      'click role:button[name="OK"]',
      '--app',
      'filezilla',
    ],
    ['click', 'window:"Remember passwords" >> role:button[name="OK"]'],
  ],
  check: async (home) =>
    hasLines(join(home, '.config/filezilla/sitemanager.xml'), [
      '<Host>ftp.example.org</Host>',
      '<Port>2121</Port>',
      '<User>ada</User>',
      '<Logontype>2</Logontype>',
      '<Name>Work</Name>',
    ]),
};
export default filezilla;
