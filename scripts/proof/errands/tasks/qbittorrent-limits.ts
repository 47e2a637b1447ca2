import { join } from 'node:path';
import type { Errand } from '../errand.ts';
import { hasLines } from '../lines.ts';

const qbittorrent: Errand = {
  name: 'Limit speeds',
  application: 'qbittorrent',
  package: 'qbittorrent',
  task: 'Open qBittorrent. In its preferences, on the page Speed, set the global upload limit to 50 KiB/s and the download limit to 400 KiB/s, and turn on "Apply rate limit to transport overhead".',
  // A click on "Speed" failed in that program, so that its agent used the keyboard.
  before: [
    ['launch', 'qbittorrent', '--wait'],
    ['snapshot', '--app', 'qbittorrent'],
    ['click', '<button "I Agree">'],
    ['menu', 'Tools > Preferences', '--app', 'qbittorrent'],
    ['snapshot', '--app', 'qbittorrent'],
    ['press', 'Down', '--app', 'qbittorrent'],
    ['press', 'Down', '--app', 'qbittorrent'],
    ['press', 'Down', '--app', 'qbittorrent'],
    ['snapshot', '--app', 'qbittorrent'],
    ['set-value', 'app:qbittorrent >> role:group[name="Global Rate Limits"] >> label:"Upload:"', '50'],
    ['set-value', 'app:qbittorrent >> role:group[name="Global Rate Limits"] >> label:"Download:"', '400'],
    ['click', '<checkbox "Apply rate limit to transport overhead">'],
    ['click', '<button "OK">'],
  ],
  now: [
    ['do', 'launch qbittorrent --wait'],
    [
      'do',
      'click <button "I Agree">',
      'menu "Tools > Preferences"',
      'click role:listitem[name=Speed]',
      '--app',
      'qbittorrent',
    ],
    [
      'do',
      'fill role:group[name="Global Rate Limits"] >> label:"Upload:" 50 role:group[name="Global Rate Limits"] >> label:"Download:" 400 <checkbox "Apply rate limit to transport overhead"> on',
      'click <button "OK">',
      '--app',
      'qbittorrent',
    ],
  ],
  check: async (home) =>
    hasLines(join(home, '.config/qBittorrent/qBittorrent.conf'), [
      'Session\\GlobalUPSpeedLimit=50',
      'Session\\GlobalDLSpeedLimit=400',
      'Session\\IncludeOverheadInLimits=true',
    ]),
};
export default qbittorrent;
