import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import type { Engine } from '../engine/engine.ts';
import { DeskterityError, type Candidate } from '../model/effects/errors.ts';
import { parseRef } from '../model/refs/ref.ts';
import type { CallTarget } from '../model/sessions/call-target.ts';
import { clip, quote } from '../model/text/untrusted-text.ts';
import type { TerminalFactsView, TerminalsPort } from '../ports/terminals.ts';
import type { SessionPlace } from './session-registry.ts';

export interface TargetParts {
  readonly place: Pick<SessionPlace, 'engine' | 'terminals'>;
  readonly terminals: () => Promise<TerminalsPort>;
  /** Folder of the caller, with links resolved. */
  readonly folder: () => Promise<string>;
  /** The terminal with a tag in the project that contains a folder. */
  readonly nearest: (
    all: readonly TerminalFactsView[],
    tag: string,
    folder: string,
  ) => TerminalFactsView | undefined;
}

const ID = /^term-[0-9a-z]+$/;
const LONGEST_SHOWN = 80;

/** The engine for the target of a call. @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT if it names two targets */
export async function engineOf(parts: TargetParts, target: CallTarget): Promise<Engine> {
  const { place, terminals } = parts;
  const id = await terminalOf(parts, target);
  return id === undefined ? place.engine() : (await place.terminals()).engine(id, await terminals());
}

/**
 * The target terminal of a call: the named one, or the one its refs belong to. `undefined` for the desktop.
 * @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT if it names two targets
 */
async function terminalOf(
  parts: TargetParts,
  { terminal, targets = [], since }: CallTarget,
): Promise<string | undefined> {
  const refs = targets.filter((target) => target !== undefined && parseRef(target) !== undefined);
  if (terminal === undefined && refs.length === 0)
    return since === undefined ? undefined : (await parts.place.terminals()).idAt(since);
  const id = terminal === undefined ? undefined : await terminalNamed(parts, terminal);
  let found = id;
  for (const ref of refs) {
    const of = await (await parts.place.terminals()).idOf(ref ?? '');
    if (of === found) continue;
    if (found === undefined && ref === refs[0]) found = of;
    else
      throw new DeskterityError(
        'INVALID_ARGUMENT',
        id === undefined
          ? `${refs.join(' and ')} belong neither to one terminal nor all to the desktop.`
          : `${ref} does not belong to the terminal ${quote(clip(terminal ?? '', LONGEST_SHOWN))}.`,
        {
          suggestion: `References already identify their terminal: omit ${mentionParameter('terminal')}, or use references of that terminal.`,
        },
      );
  }
  return found;
}

/**
 * The id of a terminal, from its ref (`@t2`), its id, or its tag in the caller's project: the caller's folder, or the nearest parent that has a
 * terminal with that tag.
 * @throws DeskterityError TERMINAL_NOT_FOUND
 */
async function terminalNamed(parts: TargetParts, wanted: string): Promise<string> {
  const text = wanted.trim();
  // A tag may look like a ref, such as t3, but cannot begin with @.
  if (parseRef(text)?.kind === 't') {
    const id = await (await parts.place.terminals()).idOf(text).catch((error: unknown) => {
      if (text.startsWith('@')) throw error;
    });
    if (id !== undefined) return id;
  }
  if (ID.test(text)) return text;
  const all = await (await parts.terminals()).list();
  const folder = await parts.folder();
  const found = parts.nearest(all, text, folder);
  if (found !== undefined) return found.id;
  throw new DeskterityError(
    'TERMINAL_NOT_FOUND',
    `The project ${quote(clip(folder, 200))} has no terminal ${quote(clip(wanted, LONGEST_SHOWN))}.`,
    {
      suggestion: `Run ${mentionCommand('terminal list')} to see all terminals, and pass the reference of one (@t1).`,
      candidates: await candidatesOf(parts, all),
    },
  );
}

async function candidatesOf({ place }: TargetParts, all: readonly TerminalFactsView[]): Promise<Candidate[]> {
  const shown = all.slice(0, 10);
  const refs = shown.length === 0 ? [] : await (await place.terminals()).refs(shown.map(({ id }) => id));
  return shown.map(({ name: { projectPath, tag }, pid }, index) => ({
    ref: refs[index],
    name: clip(tag, LONGEST_SHOWN),
    pid,
    detail: `in ${clip(projectPath, 200)}`,
  }));
}
