import type { OutputNode } from '../../tree/node.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { dialogsIn, has, isDialog, Screen, textOf } from '../screen.ts';
import {
  isCancel,
  isClose,
  isDetails,
  isHelp,
  isOk,
  isRetry,
  isStep,
  isStop,
  isWindowButton,
} from '../words/answers.ts';
import { isAboutFailure, isQuestion, isWarningOfLoss } from '../words/subjects.ts';
import { fieldsOf } from './fields.ts';

const MOST_ANSWERS = 4;
const MOST_NOTICES = 20;
/** A longer text is a page, not a message. */
const LONGEST_MESSAGE = 1500;

interface Message {
  readonly place: Screen;
  readonly text: string;
  readonly nodes: readonly OutputNode[];
  readonly answers: readonly OutputNode[];
}

/** What a dialog says and which answers it takes; nothing if there is something to fill in. */
function messageOf(place: Screen): Message | undefined {
  const fields = fieldsOf(place).filter((field) => !isChoiceBeside(field, place));
  const shown = isOnlyDismissed(place) ? fields.filter(({ role }) => role === 'textbox') : [];
  if (fields.length > shown.length || place.nodes.some((node) => has(node, 'protected'))) return undefined;
  if (place.of('radio', 'tab', 'progressbar', 'slider', 'document').length > 0) return undefined;
  if (place.of('checkbox').length > 3) return undefined;
  const answers = place.buttons.filter(({ name, role }) => role === 'button' && !isWindowButton(name));
  const nodes = [...place.texts.filter((node) => node !== place.root), ...shown];
  const text = [place.root.name ?? '', ...nodes.map(textOf)].join('\n');
  if (nodes.length === 0 && place.root.name === undefined) return undefined;
  if (answers.length > MOST_ANSWERS || text.length > LONGEST_MESSAGE) return undefined;
  return { place, text, nodes, answers };
}

/** What nothing can be done with but closing it shows texts and takes none, whatever its toolkit calls them. */
function isOnlyDismissed(place: Screen): boolean {
  const [first, ...others] = place.buttons.filter(({ role }) => role === 'button');
  const isFront = isDialog(place.root) || has(place.root, 'modal');
  return isFront && others.length === 0 && (isClose(first?.name) || isOk(first?.name));
}

/** A notice about a file that cannot be read may offer another encoding. */
function isChoiceBeside({ role }: OutputNode, place: Screen): boolean {
  return role === 'combobox' && place.root.role === 'alert' && !has(place.root, 'modal');
}

/** One question and two to four answers: it asks, or one of the answers is to leave things as they are. */
export function confirmationDialog(screen: Screen): Finding | undefined {
  for (const place of dialogsIn(screen)) {
    const message = messageOf(place);
    if (message === undefined || isFailure(message)) continue;
    const answers = message.answers.filter(({ name }) => !isHelp(name) && !isDetails(name));
    const leaves = answers.some(({ name }) => isCancel(name));
    const isTask = answers.some(({ name }) => isStop(name) || isStep(name));
    if (answers.length < 2 || isTask || message.nodes.length === 0) continue;
    if (!leaves && !isQuestion(message.text)) continue;
    return {
      pattern: 'confirmation_dialog',
      evidence: [...evidenceOf('message', message.nodes.slice(0, 3)), ...answersOf(answers)],
    };
  }
  return undefined;
}

/** It says that something failed, and there is nothing to decide but whether to try again. */
export function errorAlert(screen: Screen): Finding | undefined {
  for (const place of [...dialogsIn(screen), ...noticesIn(screen)]) {
    const message = messageOf(place);
    if (message === undefined || !isFailure(message)) continue;
    return {
      pattern: 'error_alert',
      evidence: [...evidenceOf('message', message.nodes.slice(0, 3)), ...answersOf(message.answers)],
    };
  }
  return undefined;
}

function answersOf(answers: readonly OutputNode[]) {
  return answers.flatMap((node) =>
    evidenceOf(isCancel(node.name) || isClose(node.name) ? 'cancel' : 'answer', [node]),
  );
}

function isFailure({ place, text, answers }: Message): boolean {
  const dismisses = answers.every(
    ({ name }) =>
      isOk(name) || isClose(name) || isCancel(name) || isRetry(name) || isHelp(name) || isDetails(name),
  );
  if (!dismisses) return false;
  return (isAboutFailure(text) && !isWarningOfLoss(text)) || hasErrorPicture(place);
}

/** Toolkits name the picture of an error, or the message itself, after it. */
function hasErrorPicture(place: Screen): boolean {
  return place.nodes.some(
    (node) => (node.role === 'image' || node === place.root) && /\berror\b/iu.test(node.name ?? ''),
  );
}

/** Messages inside a window that have a place of their own: alerts, and a line of text with a button that closes it. */
function noticesIn(screen: Screen): readonly Screen[] {
  return screen.nodes
    .filter((node) => node !== screen.root && !isDialog(node) && (isNotice(node) || isClosable(node)))
    .slice(0, MOST_NOTICES)
    .map((node) => new Screen(node));
}

function isNotice({ role, children = [] }: OutputNode): boolean {
  return role === 'status' && children.length > 0;
}

function isClosable({ role, children = [] }: OutputNode): boolean {
  if (role !== 'group' && role !== 'generic') return false;
  const [texts, buttons] = [children.filter(isText), children.filter((child) => child.role === 'button')];
  return (
    texts.length === 1 &&
    texts.length + buttons.length === children.length &&
    buttons.some(({ name }) => isClose(name))
  );
}

function isText({ role }: OutputNode): boolean {
  return role === 'text' || role === 'paragraph';
}
