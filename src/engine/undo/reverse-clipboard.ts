import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import {
  LONGEST_KEPT_TEXT,
  SECRET,
  TOO_LONG,
  type Reversal,
  type Reversible,
} from '../../model/undo/reversal.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { ClipboardContent, ClipboardPort } from '../../ports/clipboard.ts';
import { clearClipboard, writeClipboard } from '../acting/clipboard.ts';
import type { Reversed, Undoable } from '../requests/acting.ts';
import { changedSince, notAsBefore } from './undo-errors.ts';

const UNTOLD = 'nothing tells whether somebody had copied the same text since';

/** Programs that do not answer must not delay the act. */
const LOOK_MS = 500;
const LOOK_SHARE = 0.2;

/** What the clipboard has, if it can be put back: nothing, or plain text. */
async function clipboardNow(
  clipboard: ClipboardPort,
  options: CallOptions,
): Promise<{ readonly text: string | null } | { readonly irreversible: string }> {
  const brief = { ...options, deadlineMs: Math.min(options.deadlineMs * LOOK_SHARE, LOOK_MS) };
  try {
    const { names, text, image } = await clipboard.formats(brief);
    if (names.length === 0) return { text: null };
    if (names.some((name) => /passwordmanagerhint/i.test(name))) return { irreversible: SECRET };
    if (!text || image || names.some((name) => RICH.test(name)))
      return { irreversible: 'what was on the clipboard was not plain text' };
    const content = await clipboard.read('text', brief);
    if (content.kind !== 'text') return { irreversible: 'what was on the clipboard was not plain text' };
    return content.text.length > LONGEST_KEPT_TEXT ? { irreversible: TOO_LONG } : { text: content.text };
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    return { irreversible: 'what was on the clipboard could not be read' };
  }
}

/** Text with more to it than its letters, and files. */
const RICH = /html|rtf|richtext|uri-list|opendocument|gnome-copied-files/i;

/** Changes the clipboard, and reports how to undo that if it was asked for. `content` is absent if it is cleared. */
export async function changingClipboard<T>(
  clipboard: ClipboardPort,
  request: CallOptions & Undoable & { readonly content?: ClipboardContent },
  change: () => Promise<T>,
): Promise<T> {
  const { onReversal, content } = request;
  if (onReversal === undefined) return change();
  const before = await clipboardNow(clipboard, request);
  const done = await change();
  const after = content === undefined ? null : textOf(content);
  onReversal(clipboardReversal(before, after, clipboard.isOwned));
  return done;
}

function textOf(content: ClipboardContent): string | undefined {
  return content.kind === 'text' ? content.text : undefined;
}

/** Undoing a change of the clipboard. */
function clipboardReversal(
  before: Awaited<ReturnType<typeof clipboardNow>>,
  after: string | null | undefined,
  isHeld: boolean,
): Reversible {
  if ('irreversible' in before) return before;
  if (after === undefined) return { irreversible: 'a picture was put on the clipboard' };
  if ((after?.length ?? 0) > LONGEST_KEPT_TEXT) return { irreversible: TOO_LONG };
  return { reversal: { kind: 'clipboard', before: before.text, after, is_held: isHeld } };
}

export async function reverseClipboard(
  clipboard: ClipboardPort,
  { before, after, is_held: isHeld = false }: Extract<Reversal, { readonly kind: 'clipboard' }>,
  { outlivesCall, ...call }: CallOptions & { readonly outlivesCall: boolean },
): Promise<Reversed> {
  const now = await clipboardNow(clipboard, call);
  if ('irreversible' in now) throw changedSince(now.irreversible);
  if (now.text === before)
    return { effect: 'confirmed', evidence: ['the clipboard has the text from before'], isAlready: true };
  if (now.text !== after) throw changedSince('the clipboard has something else');
  if (isHeld && !clipboard.isOwned)
    throw changedSince('another program has taken the clipboard over, and may have copied the same text');
  if (before === null) await clearClipboard(clipboard, call);
  else await writeClipboard(clipboard, { content: { kind: 'text', text: before }, outlivesCall, ...call });
  const later = await clipboardNow(clipboard, call);
  if ('irreversible' in later || later.text !== before)
    throw notAsBefore('the clipboard', 'irreversible' in later ? '' : (later.text ?? ''), before ?? '');
  const evidence = before === null ? 'the clipboard is empty' : `read back: ${quoteClipped(before)}`;
  return { effect: 'confirmed', evidence: [evidence, ...(isHeld || after === null ? [] : [UNTOLD])] };
}
