/**
 * One attribute of one element: the name of a button, read over an existing connection, compared with the same read by libatspi, whose cache is cleared
 * before each. One application per toolkit.
 */
import { z } from 'zod';
import { FIXTURE_KINDS, startFixture } from '../fixtures/driver.ts';
import type { TreeNode } from '../src/model/tree/node.ts';
import { AccessibilityBus } from '../src/platform/linux/atspi/bus/accessibility-bus.ts';
import { ApplicationDirectory } from '../src/platform/linux/atspi/bus/application-directory.ts';
import { median, percentile, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import { runPeer } from './support/peer.ts';
import { Stage } from './support/stage.ts';

const READS = 500;
const CALLS = { deadlineMs: 20_000 } as const;
const TITLES: Readonly<Record<(typeof FIXTURE_KINDS)[number], string>> = {
  gtk3: 'GTK 3',
  gtk4: 'GTK 4',
  qt5: 'Qt 5',
  qt6: 'Qt 6',
};

const PeerReads = z.object({ name: z.string(), samples_ms: z.array(z.number()).min(1) });

export async function run({ say }: { readonly say: Say }): Promise<Report> {
  const stage = await Stage.start(say);
  try {
    const figures: Figure[] = [];
    for (const kind of FIXTURE_KINDS) {
      say(TITLES[kind]);
      figures.push(...(await measure(stage, kind)));
    }
    return { name: 'attribute-read', figures };
  } finally {
    await stage.stop();
  }
}

async function measure(stage: Stage, kind: (typeof FIXTURE_KINDS)[number]): Promise<Figure[]> {
  const { environment } = stage.desktop;
  const fixture = await startFixture(kind, { environment, ...CALLS });
  try {
    const button = await findButton(stage, fixture.title);
    const ours = await readOurs(environment, button);
    const args = [button.handle.app, button.handle.path, `${READS}`];
    const peer = await runPeer('atspi_read.py', args, environment, PeerReads);
    if (peer.name !== ours.name) {
      throw new Error(`${kind}: we read ${JSON.stringify(ours.name)}, libatspi ${JSON.stringify(peer.name)}`);
    }
    return figures(TITLES[kind], ours.samples, peer.samples_ms);
  } finally {
    await fixture.stop();
  }
}

async function findButton(stage: Stage, title: string): Promise<TreeNode> {
  const desktop = stage.freshDesktop();
  try {
    const root = await stage.rootOf(desktop, title);
    const request = { root, wholeTree: false, includeActions: false, maxNodes: 20_000, ...CALLS };
    const { root: window } = await desktop.readTree(request);
    const button = firstWhere(window, ({ role, name }) => role === 'button' && name !== '');
    if (!button) throw new Error(`${title} has no button with a name.`);
    return button;
  } finally {
    await desktop.close();
  }
}

function firstWhere(node: TreeNode, wanted: (node: TreeNode) => boolean): TreeNode | undefined {
  if (wanted(node)) return node;
  for (const child of node.children) {
    const found = firstWhere(child, wanted);
    if (found) return found;
  }
  return undefined;
}

async function readOurs(
  environment: Readonly<Record<string, string>>,
  element: TreeNode,
): Promise<{ name: string; samples: number[] }> {
  const bus = await AccessibilityBus.connect(environment['DBUS_SESSION_BUS_ADDRESS'], CALLS);
  const directory = new ApplicationDirectory(bus);
  try {
    const application = await directory.require(element.handle.app, CALLS);
    const { connection, templates } = await application.readingChannel(CALLS);
    const samples: number[] = [];
    let name = '';
    for (let read = 0; read < READS; read++) {
      const begin = performance.now();
      name = await connection.invoke(templates.name, element.handle.path, CALLS);
      samples.push(performance.now() - begin);
    }
    return { name, samples };
  } finally {
    directory.close();
    bus.close();
  }
}

function figures(title: string, ours: readonly number[], peer: readonly number[]): Figure[] {
  const row = (what: string, mine: number, theirs: number): Figure => ({
    what: `${title}: name of a button, ${what}`,
    value: rounded(mine, 3),
    unit: 'ms',
    baseline: rounded(theirs, 3),
    ratio: rounded(mine / theirs, 2),
  });
  return [row('p50', median(ours), median(peer)), row('p95', percentile(ours, 0.95), percentile(peer, 0.95))];
}
