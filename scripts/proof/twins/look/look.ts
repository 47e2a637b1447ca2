import type { WidgetKey } from '../act/widgets.ts';
import type { Side } from '../side/side.ts';
import { readFiles } from './files.ts';
import { Seen } from './tree.ts';
import type { View } from './compare.ts';

const WALKER = 'look/walk.py';
const SCREEN = 'look/screen.py';
/** Java and Qt take ten seconds for a large window on a busy machine. */
const WALK_MS = 60_000;
const WALK_EVERYTHING_MS = 60_000;
const FOCUS_MS = 5000;

/** Reads the tree and the windows of a side, in a process of its own. */
export async function walk(side: Side): Promise<Seen> {
  // libatspi itself crashes now and then, when what it reads vanishes meanwhile.
  const first = await side.script(WALKER, [], WALK_MS);
  const { code, stdout, stderr } = first.code < -1 ? await side.script(WALKER, [], WALK_MS) : first;
  if (code !== 0) throw new Error(`reading the tree ended with ${code}: ${stderr.slice(-500)}`);
  return numbered(Seen.parse(JSON.parse(stdout)));
}

/** An application that was started twice is two applications: the later ones get a number. */
function numbered(seen: Seen): Seen {
  const counts = new Map<string, number>();
  const applications = seen.applications.map((one) => {
    const count = (counts.get(one.name) ?? 0) + 1;
    counts.set(one.name, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
  return { ...seen, applications };
}

/** Reads also what does not show: closed menus, hidden pages, rows that are scrolled out. */
export async function walkEverything(side: Side): Promise<Seen> {
  const text = await side.scriptOutput(WALKER, ['--everything'], WALK_EVERYTHING_MS);
  return Seen.parse(JSON.parse(text));
}

export async function view(side: Side): Promise<View> {
  const seen = await walk(side);
  return { seen, frame: side.frame(), files: readFiles(side.folders.home) };
}

/** Takes the keyboard focus away from all windows, so that its marks disappear. Returns the window that had it. */
export async function lookAway(side: Side): Promise<string> {
  const text = await side.scriptOutput(SCREEN, ['look-away'], FOCUS_MS);
  return text.trim();
}

/** Puts the caret to the beginning of a field, without a click or a key. */
export async function caretToStart(side: Side, { application, path }: WidgetKey): Promise<void> {
  const request = JSON.stringify({ application, path });
  await side.scriptOutput('look/caret.py', [request], FOCUS_MS);
}

/** Makes all windows draw themselves anew. */
export async function repaint(side: Side): Promise<void> {
  await side.scriptOutput(SCREEN, ['repaint'], FOCUS_MS);
}

/** Gives the keyboard focus back to the window that had it. */
export async function lookBack(side: Side, window: string): Promise<void> {
  await side.scriptOutput(SCREEN, ['look-back', window], FOCUS_MS);
}
