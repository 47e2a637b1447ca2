/**
 * Records the windows for `bench tokens`: `node scripts/run-ts.mjs bench/record-corpus.ts [PATTERN]` reads our fixtures and stock applications on private
 * desktops and writes bench/corpus/*.json. It opens only our own documents and pages.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FIXTURE_KINDS, startFixture } from '../fixtures/driver.ts';
import type { TreeNode } from '../src/model/tree/node.ts';
import type { LinuxDesktop } from '../src/platform/linux/desktop/linux-desktop.ts';
import type { DesktopWindow } from '../src/ports/desktop/windows.ts';
import { CORPUS } from './corpus.ts';
import type { RawTreeFile } from './corpus-file.ts';
import { CORPUS_SUBJECTS, type CorpusSubject } from './support/corpus-subjects.ts';
import { CannotMeasure } from './support/figures.ts';
import { Stage } from './support/stage.ts';

const CALLS = { deadlineMs: 30_000 } as const;
const DIALOG_MS = 10_000;
const SETTLE_MS = 1000;
const PRESS_MS = 2000;

async function recordSubject(subject: CorpusSubject): Promise<void> {
  const stage = await Stage.start(console.error);
  const desktop = stage.freshDesktop();
  try {
    const { window } = await stage.open(subject);
    await write(stage, desktop, window, subject);
    if (subject.whole)
      await write(
        stage,
        desktop,
        window,
        { ...subject, name: `${subject.name} (whole tree)`, kind: 'other' },
        true,
      );
    if (subject.dialog) {
      const dialog = await openDialog(desktop, window, subject.dialog.item);
      await write(stage, desktop, dialog, { name: subject.dialog.name, kind: 'settings' });
    }
  } catch (error) {
    if (!(error instanceof CannotMeasure)) throw error;
    console.error(`  skipped: ${error.message}`);
  } finally {
    await desktop.close();
    await stage.stop();
  }
}

async function recordFixtures(): Promise<void> {
  const stage = await Stage.start(console.error);
  const desktop = stage.freshDesktop();
  try {
    for (const kind of FIXTURE_KINDS) {
      console.error(`fixture ${kind}`);
      const fixture = await startFixture(kind, { environment: stage.desktop.environment, ...CALLS });
      try {
        await stage.rootOf(desktop, fixture.title);
        await sleep(SETTLE_MS);
        const window = (await desktop.listWindows(CALLS)).find(({ title }) => title === fixture.title);
        if (window) await write(stage, desktop, window, { name: fixture.title, kind: 'other' });
      } finally {
        await fixture.stop();
      }
    }
  } finally {
    await desktop.close();
    await stage.stop();
  }
}

/** Presses a menu item and waits for the window it opens. */
async function openDialog(
  desktop: LinuxDesktop,
  window: DesktopWindow,
  item: RegExp,
): Promise<DesktopWindow> {
  const tree = await readTree(desktop, window, true);
  const wanted = find(tree, (node) => node.role.startsWith('menuitem') && item.test(node.name));
  if (!wanted) throw new CannotMeasure(`${window.title} has no menu item ${item.source}.`);
  // Qt replies only after its dialog has been closed again.
  await desktop.press(wanted.handle, { deadlineMs: PRESS_MS }).catch(() => undefined);
  const end = performance.now() + DIALOG_MS;
  while (performance.now() < end) {
    await sleep(SETTLE_MS);
    const windows = await desktop.listWindows({ ...CALLS, pid: window.pid });
    const dialog = windows.find(({ id, root }) => id !== window.id && root);
    if (dialog) return dialog;
  }
  throw new CannotMeasure(`${item.source} opened no window.`);
}

function find(node: TreeNode, wanted: (node: TreeNode) => boolean): TreeNode | undefined {
  if (wanted(node)) return node;
  for (const child of node.children) {
    const found = find(child, wanted);
    if (found) return found;
  }
  return undefined;
}

async function readTree(desktop: LinuxDesktop, window: DesktopWindow, wholeTree: boolean): Promise<TreeNode> {
  if (!window.root) throw new CannotMeasure(`${window.title} shows no tree: ${window.reason ?? ''}`);
  const { root } = await desktop.readTree({
    root: window.root,
    wholeTree,
    includeActions: false,
    maxNodes: 20_000,
    ...CALLS,
  });
  // As the engine does: Qt leaves the accessible name of a window empty.
  if (root.name === '') root.name = window.title;
  return root;
}

async function write(
  stage: Stage,
  desktop: LinuxDesktop,
  window: DesktopWindow,
  what: Pick<RawTreeFile, 'name' | 'kind'>,
  wholeTree = false,
): Promise<void> {
  const tree = await readTree(desktop, window, wholeTree);
  const apps = await desktop.listApps(CALLS);
  const toolkit = apps.find(({ id }) => id === window.appId)?.toolkit ?? 'unknown';
  const file = path.join(
    CORPUS,
    `${what.name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')}.json`,
  );
  const text = JSON.stringify({ name: what.name, kind: what.kind, toolkit, tree: lean(tree) });
  await mkdir(CORPUS, { recursive: true });
  await writeFile(file, `${withoutMachine(stage, text)}\n`);
  console.error(`  ${file}: ${text.length} bytes`);
}

/** Handles mean nothing later, and the loader restores empty lists and strings. */
function lean({ handle: _handle, children, states, name, ...rest }: TreeNode): object {
  return {
    ...rest,
    ...(name === '' ? {} : { name }),
    ...(states.length === 0 ? {} : { states }),
    ...(children.length === 0 ? {} : { children: children.map(lean) }),
  };
}

/** Removes folders of this run, which would differ each time. */
function withoutMachine(stage: Stage, text: string): string {
  const home = stage.desktop.environment['HOME'] ?? '';
  return text.replaceAll(stage.folder, '/home/user/Documents').replaceAll(home, '/home/user');
}

const pattern = new RegExp(process.argv[2] ?? '.', 'i');
if (pattern.test('fixtures')) await recordFixtures();
for (const subject of CORPUS_SUBJECTS.filter(({ name }) => pattern.test(name))) await recordSubject(subject);
