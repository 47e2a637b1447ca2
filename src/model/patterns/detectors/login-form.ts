import type { OutputNode } from '../../tree/node.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { isDialog, Screen } from '../screen.ts';
import { isCancel, isClose, isHelp, signsIn } from '../words/answers.ts';
import { isAboutNewPassword } from '../words/subjects.ts';
import { acceptingButton, cancellingButton, fieldsOf, isSecret, isTyped } from './fields.ts';

/** More fields are a form or settings with a password among them, unless a button says that it signs in. */
const MOST_FIELDS = 3;
/** A person signs in with a name and a password, perhaps a server and a port. */
const MOST_FIELDS_AROUND = 6;
const MOST_LEVELS = 12;

/** One password that exists already, and the button that uses it: by its words, or because there is little else. */
export function loginForm(screen: Screen): Finding | undefined {
  for (const secret of screen.nodes.filter(isSecret).slice(0, MOST_FIELDS_AROUND)) {
    const place = placeOf(secret, screen);
    const found = place && formAt(secret, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The smallest part around the password that has a button to go on with. */
function placeOf(secret: OutputNode, screen: Screen): Screen | undefined {
  for (const container of screen.around(secret).slice(0, MOST_LEVELS)) {
    const place = new Screen(container);
    if (place.buttons.some(goesOn)) return place;
    if (isDialog(container)) return undefined;
  }
  return undefined;
}

function goesOn({ name, role }: OutputNode): boolean {
  return role === 'button' && !isCancel(name) && !isClose(name) && !isHelp(name);
}

function formAt(secret: OutputNode, place: Screen): Finding | undefined {
  const fields = fieldsOf(place).filter(isTyped);
  const secrets = fields.filter(isSecret);
  if (!secrets.includes(secret) || secrets.some(({ name }) => isAboutNewPassword(name))) return undefined;
  const buttons = place.buttons.filter(goesOn);
  const signing = buttons.find(({ name }) => signsIn(name));
  if (signing === undefined && (secrets.length > 1 || fields.length > MOST_FIELDS)) return undefined;
  if (fields.length > MOST_FIELDS_AROUND) return undefined;
  const accept = signing ?? acceptingButton(place);
  const account = fields.slice(0, fields.indexOf(secret)).find((field) => !isSecret(field));
  return {
    pattern: 'login_form',
    evidence: [
      ...evidenceOf('account', [account]),
      ...evidenceOf('password', [secret]),
      ...evidenceOf('accept', [accept]),
      ...evidenceOf('cancel', [cancellingButton(place)]),
    ],
  };
}
