import { byPerson } from '../../../../../model/text/mention.ts';

/** The step that lets GNOME Shell do what only it can do; only a person decides on it. */
export function setUpGnome(): string {
  return byPerson('Run "desk setup gnome" once, then log out and in again');
}
