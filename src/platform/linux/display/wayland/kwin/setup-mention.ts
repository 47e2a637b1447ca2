import { byPerson } from '../../../../../model/text/mention.ts';

/** The step that lets KWin admit us; only a person decides on it. */
export function setUpKde(): string {
  return byPerson('Run "desk setup kde" once, which lets KWin admit Deskterity');
}
