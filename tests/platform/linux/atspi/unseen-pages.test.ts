import { describe, expect, it } from 'vitest';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { mapStates, placeOfExtents } from '../../../../src/platform/linux/atspi/tree/states.ts';
import type { Extents } from '../../../../src/platform/linux/atspi/tree/object-facts.ts';
import { toolkitTraits } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';
import {
  hideUnseenPages,
  type PageCalls,
} from '../../../../src/platform/linux/atspi/tree/unseen/unseen-pages.ts';

const GTK4 = { traits: toolkitTraits('GTK', 'app') };
const PLACE: Extents = { x: 1, y: 38, width: 498, height: 34 };

function node(path: string, nativeRole: number, extents: Extents, children: RawNode[] = []): RawNode {
  const made = new RawNode(':1.1', path, 1);
  return Object.assign(made, { nativeRole, extents, children });
}

/** As GTK 4.8 reports a notebook of which both pages have been shown. */
function notebook() {
  const page = (name: string): RawNode =>
    node(`box-${name}`, NATIVE.PANEL, PLACE, [
      node(`button-${name}`, NATIVE.CHECK_BOX, { x: 18, y: 43, width: 79, height: 24 }),
      node(`text-${name}`, NATIVE.TEXT, { x: 123, y: 39, width: 150, height: 32 }),
    ]);
  const [general, advanced] = [page('general'), page('advanced')];
  return { general, advanced, root: node('stack', NATIVE.PANEL, PLACE, [general, advanced]) };
}

/** `drawn`: what has something in its middle. */
function application(chosen: string | undefined, ...drawn: string[]): () => PageCalls {
  return () => ({
    parentOf: (path) => Promise.resolve(path.replace('box-', 'page-')),
    isChosen: (page) => Promise.resolve(chosen === undefined ? undefined : page === chosen),
    isDrawn: ({ path }) => Promise.resolve(drawn.includes(path)),
  });
}

const dropped = ({ general, advanced }: ReturnType<typeof notebook>): boolean[] =>
  [general, advanced].map((page) => page.dropped);

describe('pages of GTK 4 that keep their place while another one shows', () => {
  it('leaves out the pages whose tabs are not selected', async () => {
    const seen = notebook();
    await hideUnseenPages(GTK4, application('page-advanced'), seen.root, false);
    expect(dropped(seen)).toEqual([true, false]);
  });

  it('leaves out the pages in which nothing can be hit, where there are no tabs', async () => {
    const seen = notebook();
    await hideUnseenPages(GTK4, application(undefined, 'button-general'), seen.root, false);
    expect(dropped(seen)).toEqual([false, true]);
  });

  it('hides what is in them in a reading of everything', async () => {
    const seen = notebook();
    await hideUnseenPages(GTK4, application('page-general'), seen.root, true);
    const [button] = seen.advanced.children;
    const shown = { showingIsTruthful: false, isPassword: false, ...placeOfExtents(button?.extents) };
    expect(dropped(seen)).toEqual([false, false]);
    expect(mapStates([0, 0], { role: 'group', ...shown })).toContain('hidden');
  });

  it.each([
    ['while one page takes the place of another', application(undefined, 'box-general', 'button-advanced')],
    ['where nothing tells which page shows', application(undefined)],
  ])('keeps all pages %s', async (_when, calls) => {
    const seen = notebook();
    await hideUnseenPages(GTK4, calls, seen.root, false);
    expect(dropped(seen)).toEqual([false, false]);
  });

  it('keeps what lies over something else and is no page', async () => {
    const seen = notebook();
    const calls = { ...application(undefined, 'button-general')(), parentOf: () => Promise.resolve('stack') };
    await hideUnseenPages(GTK4, () => calls, seen.root, false);
    expect(dropped(seen)).toEqual([false, false]);
  });

  it('asks no other toolkit', async () => {
    const seen = notebook();
    const GTK3 = { traits: toolkitTraits('gtk', 'app') };
    await hideUnseenPages(GTK3, application('page-advanced'), seen.root, false);
    expect(dropped(seen)).toEqual([false, false]);
  });
});
