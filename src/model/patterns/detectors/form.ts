import { evidenceOf, type Finding } from '../pattern.ts';
import { isDialog, Screen } from '../screen.ts';
import { isCopy, isOk } from '../words/answers.ts';
import { isAboutSearch } from '../words/subjects.ts';
import { acceptingButton, cancellingButton, fieldsOf, goingOn, isLabelled, isTyped } from './fields.ts';

const FEWEST_FIELDS = 3;

/** Three or more labelled fields, one of them typed, and a button that may accept them: in a dialog, a page of a site, or a pane with OK and Cancel. */
export function form(screen: Screen): Finding | undefined {
  // Find and replace.
  if (isDialog(screen.root) && isAboutSearch(screen.title)) return undefined;
  for (const place of placesOf(screen)) {
    const fields = fieldsOf(place).filter((field) => isLabelled(field, place));
    if (
      fields.length < FEWEST_FIELDS ||
      !fields.some((field) => isTyped(field) && !isAboutSearch(field.name)) ||
      goingOn(place).every(({ name }) => isCopy(name))
    )
      continue;
    return {
      pattern: 'form',
      evidence: [
        ...evidenceOf('field', fields.slice(0, 12)),
        ...evidenceOf('accept', [acceptingButton(place)]),
        ...evidenceOf('cancel', [cancellingButton(place)]),
      ],
    };
  }
  return undefined;
}

function placesOf(screen: Screen): readonly Screen[] {
  if (isDialog(screen.root)) return [screen];
  const inPages = screen.of('form', 'document').map((node) => new Screen(node));
  const cancel = cancellingButton(screen);
  const isPane = cancel !== undefined && screen.buttons.some(({ name }) => isOk(name));
  return [...inPages, ...(isPane ? [screen] : [])];
}
