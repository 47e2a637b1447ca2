import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens, fitWithoutRefs } from '../src/model/tree/budget.ts';
import { USUAL_TOKENS, USUAL_WHOLE_TOKENS } from '../src/model/tree/budget/usual.ts';
import { commands } from '../src/commands/index.generated.ts';
import snapshot from '../src/commands/observation/snapshot.ts';
import { spellMentions } from '../src/model/text/mention.ts';
import { offscreenAnswer, offscreenPlaces } from '../src/model/tree/offscreen.ts';
import { commandLineSpeller } from '../src/registry/command-line-speller.ts';
import { createRegistry } from '../src/registry/registry.ts';
import { assignRefs } from '../src/model/tree/distill/assign-refs.ts';
import { distill, prune } from '../src/model/tree/distill/distill.ts';
import type { DistillOptions, DistilledTree } from '../src/model/tree/distill/distill.ts';
import type { TreeNode } from '../src/model/tree/node.ts';
import { renderOutline } from '../src/model/tree/outline.ts';
import { stringifyVisibly } from '../src/model/text/untrusted-text.ts';
import { CORPUS, readCorpus } from './corpus.ts';
import type { RawTreeFile } from './corpus-file.ts';
import * as formats from './peer-formats.ts';
import type { Format } from './peer-formats.ts';
import { fromDistilled, fromRaw, numberRefs, type PeerNode } from './peer-node.ts';
import * as pruning from './peer-pruning.ts';
import type { Pruning } from './peer-pruning.ts';
import { CannotMeasure, median, rounded, type Figure, type Report } from './support/figures.ts';

const FULL: DistillOptions = {
  interactiveOnly: false,
  compact: true,
  wholeTree: false,
  includeBounds: false,
  includeActions: false,
};
const FULL_FORM: DistillOptions = { ...FULL, compact: false };
const WHOLE = '(whole tree)';
const INTERACTIVE: DistillOptions = { ...FULL, interactiveOnly: true };

/**
 * Formats that contain the same facts as the outline for the same nodes, and which of the nodes have a reference in them: a format that numbers every
 * line does so here. agent-device's own text omits values beside labels, so a complete form of it is used.
 */
const EQUAL: readonly [string, Format, (node: PeerNode) => boolean][] = [
  ['agent-browser text', formats.agentBrowser, hasRef],
  ['agent-browser text as in its guide', formats.agentBrowserGuide, hasRef],
  ['Playwright YAML', formats.playwright, (node) => node.role !== 'text'],
  ['cua-driver markdown', formats.cuaDriver, hasRef],
  ['strands-xa11y text', formats.strandsXa11y, () => true],
  ['agent-device text, values added', formats.agentDeviceComplete, () => true],
];

/** Each peer in its leanest documented mode, compared with ours of the same kind. */
const PRUNED: readonly [string, DistillOptions, Pruning, Format][] = [
  ['agent-desktop JSON --compact', FULL, pruning.agentDesktopPruning(false), formats.agentDesktop],
  ['agent-desktop JSON -i --compact', INTERACTIVE, pruning.agentDesktopPruning(true), formats.agentDesktop],
  ['agent-browser -c', FULL, pruning.agentBrowserPruning(false), formats.agentBrowser],
  ['agent-browser -i -c', INTERACTIVE, pruning.agentBrowserPruning(true), formats.agentBrowser],
  ['Playwright', FULL, pruning.playwrightPruning, formats.playwright],
  ['cua-driver', FULL, pruning.cuaDriverPruning, formats.cuaDriver],
  ['strands-xa11y', FULL, pruning.strandsXa11yPruning, formats.strandsXa11y],
  ['agent-device -i -c', INTERACTIVE, pruning.agentDevicePruning, formats.agentDevice],
];

const TYPICAL = ['calculator', 'editor', 'settings'] as const;

/** Tokens (o200k) of outlines and JSON over a corpus of windows, compared with what other tools print for the same windows. */
export async function run(options: { json: boolean; corpus?: string }): Promise<Report> {
  const folder = options.corpus ?? CORPUS;
  const corpus = await readCorpus(folder);
  if (corpus.length === 0) throw new CannotMeasure(`${folder} contains no recorded windows.`);
  if (!options.json) console.error(`${corpus.length} windows from ${folder}`);
  const figures = [
    ...usual(corpus),
    ...typical(corpus),
    ...prunedByPeers(corpus),
    ...onEqualNodes(corpus),
    ...asJson(corpus),
    ...estimates(corpus),
    budgetTime(),
  ];
  return { name: 'tokens', figures };
}

/** What a caller gets that asks for nothing special: the elements on screen within the usual size, in outline form. */
function usual(corpus: readonly RawTreeFile[]): Figure[] {
  // Of a window that was recorded twice, once with all that is off screen, the default is the same.
  const windows = corpus.filter(({ name }) => !name.endsWith(WHOLE));
  const sized = (tree: TreeNode, view: DistillOptions, maxTokens: number): number =>
    tokens(answered(shown(tree, { ...view, budget: { maxTokens, form: 'outline' } })));
  const each = windows.map(({ name, tree }) => ({ name, value: sized(tree, FULL_FORM, USUAL_TOKENS) }));
  const values = each.map(({ value }) => value).toSorted((a, b) => a - b);
  const middle = median(values);
  const p95 = values[Math.ceil(0.95 * values.length) - 1] ?? 0;
  const whole = Math.max(
    ...corpus.map(({ tree }) => sized(tree, { ...FULL_FORM, wholeTree: true }, USUAL_WHOLE_TOKENS)),
  );
  return [
    ...each.map(({ name, value }): Figure => ({ what: `${name}, as it comes`, value, unit: 'tokens' })),
    {
      what: `default snapshot, median of ${windows.length} windows`,
      value: middle,
      unit: 'tokens',
      goal: '< 300',
      met: middle < 300,
    },
    { what: 'default snapshot, P95', value: p95, unit: 'tokens', goal: '< 1000', met: p95 < 1000 },
    {
      what: 'whole tree, largest',
      value: whole,
      unit: 'tokens',
      goal: `<= ${USUAL_WHOLE_TOKENS}`,
      met: whole <= USUAL_WHOLE_TOKENS,
    },
  ];
}

const registry = createRegistry(commands);
const speller = commandLineSpeller(registry);

/** The whole answer: the tree, what is off screen and how to get there, and the cursor. */
function answered({ root, elided }: DistilledTree): string {
  const output = {
    tree: root,
    complete: true,
    elided,
    cursor: 'c12',
    app: '',
    ref_count: 0,
    node_count: 0,
    call_count: 0,
    ...offscreenAnswer(offscreenPlaces(root)),
  };
  return spellMentions(snapshot.outline?.(output) ?? '', speller);
}

function typical(corpus: readonly RawTreeFile[]): Figure[] {
  const windows = TYPICAL.flatMap((kind) => corpus.filter((file) => file.kind === kind));
  const perWindow = windows.map(({ name, tree }): Figure => ({
    what: `${name}, -i --compact`,
    value: tokens(renderOutline(shown(tree, INTERACTIVE).root)),
    unit: 'tokens',
  }));
  const value = median(perWindow.map((figure) => figure.value));
  return [
    ...perWindow,
    {
      what: 'median of calculators, editors and settings, -i --compact',
      value,
      unit: 'tokens',
      goal: '< 500',
      met: value < 500,
    },
  ];
}

function prunedByPeers(corpus: readonly RawTreeFile[]): Figure[] {
  return PRUNED.map(([peer, view, prunedBy, format]) => {
    const pairs = corpus.map(({ name, tree }) => ({
      name,
      ours: tokens(renderOutline(shown(tree, view).root)),
      theirs: tokens(format(prunedBy(fromRaw(tree)))),
    }));
    const above = pairs
      .filter(({ ours, theirs }) => ours >= theirs)
      .map(({ name, ours, theirs }) => `${name} ${ours}:${theirs}`);
    return {
      ...totals(`own pruning, ${peer}`, pairs),
      goal: '< 1 on each window',
      met: above.length === 0,
      ...(above.length === 0 ? {} : { note: `not below on ${above.join(', ')}` }),
    };
  });
}

function onEqualNodes(corpus: readonly RawTreeFile[]): Figure[] {
  const trees = corpus.flatMap(({ tree }) => [FULL, INTERACTIVE].map((view) => shown(tree, view)));
  const pairs = (theirs: (nodes: PeerNode) => number): Pair[] =>
    trees.map((tree) => ({ ours: tokens(renderOutline(tree.root)), theirs: theirs(fromDistilled(tree)) }));
  const cheapest = (ownRefs: boolean): Pair[] =>
    pairs((nodes) =>
      Math.min(
        ...EQUAL.map(([, format, needsRef]) => tokens(format(ownRefs ? numberRefs(nodes, needsRef) : nodes))),
      ),
    );
  const each = cheapest(true);
  const ratios = each.map(({ ours, theirs }) => rounded(ours / theirs, 2));
  const total = totals('equal nodes, cheapest peer of each window', each);
  return [
    ...EQUAL.map(([peer, format, needsRef]) =>
      totals(
        `equal nodes, ${peer}`,
        pairs((nodes) => tokens(format(numberRefs(nodes, needsRef)))),
      ),
    ),
    {
      ...total,
      goal: '<= 1.1',
      met: (total.ratio ?? Infinity) <= 1.1,
      note: `from ${Math.min(...ratios)} to ${Math.max(...ratios)} on single windows`,
    },
    {
      ...totals('equal nodes, cheapest peer with refs only where ours has them', cheapest(false)),
      note: 'no peer prints this: strands-xa11y numbers every line',
    },
  ];
}

function asJson(corpus: readonly RawTreeFile[]): Figure[] {
  const views = corpus.flatMap(({ name, tree }) =>
    [FULL, INTERACTIVE].map((view) => ({ name, raw: tree, view, tree: shown(tree, view) })),
  );
  const ours = ({ tree }: { tree: DistilledTree }): number => tokens(stringifyVisibly(tree.root));
  const figure = (what: string, theirs: (item: (typeof views)[number]) => number): Figure => {
    const total = totals(
      what,
      views.map((item) => ({ name: item.name, ours: ours(item), theirs: theirs(item) })),
    );
    return { ...total, goal: '< 1', met: (total.ratio ?? Infinity) < 1 };
  };
  return [
    figure('JSON on equal nodes, agent-desktop', ({ tree }) =>
      tokens(formats.agentDesktop(fromDistilled(tree))),
    ),
    figure('JSON on equal nodes, agent-desktop with short refs', ({ tree }) =>
      tokens(formats.agentDesktopShortRefs(fromDistilled(tree))),
    ),
    figure('JSON with own pruning, agent-desktop', ({ raw, view }) =>
      tokens(formats.agentDesktop(pruning.agentDesktopPruning(view.interactiveOnly)(fromRaw(raw)))),
    ),
  ];
}

function estimates(corpus: readonly RawTreeFile[]): Figure[] {
  const ratios = corpus.flatMap(({ tree }) =>
    [FULL, INTERACTIVE].flatMap((view) => {
      const { root } = shown(tree, view);
      return [renderOutline(root), stringifyVisibly(root)].map((text) => estimateTokens(text) / tokens(text));
    }),
  );
  const most = rounded(Math.max(...ratios), 3);
  const least = rounded(Math.min(...ratios), 3);
  return [
    {
      what: 'token estimate over real tokens, most',
      value: most,
      unit: 'ratio',
      goal: '<= 1.35',
      met: most <= 1.35,
    },
    {
      what: 'token estimate over real tokens, least',
      value: least,
      unit: 'ratio',
      goal: '>= 1',
      met: least >= 1,
    },
  ];
}

const BUDGET_NODES = 6000;
const BUDGET_REPEATS = 15;

function budgetTime(): Figure {
  const row = (index: number): TreeNode =>
    node('row', `Row ${index}`, [
      node('cell', `Name of item ${index}`),
      node('cell', `${index * 37} kB`),
      node('button', 'Remove'),
    ]);
  const tree = prune(
    node('window', 'Large', [
      node(
        'table',
        'Items',
        Array.from({ length: BUDGET_NODES / 4 }, (_, index) => row(index)),
      ),
    ]),
    FULL,
  );
  const samples = Array.from({ length: BUDGET_REPEATS }, () => {
    const start = performance.now();
    assignRefs(fitWithoutRefs(tree, 2000, 'outline'), () => '@e1');
    return performance.now() - start;
  });
  const value = rounded(median(samples));
  return {
    what: `fit ${BUDGET_NODES} nodes into 2000 tokens`,
    value,
    unit: 'ms',
    goal: '< 50',
    met: value < 50,
  };
}

function node(role: TreeNode['role'], name: string, children: TreeNode[] = []): TreeNode {
  return { handle: { app: '', path: '' }, role, nativeRole: role, name, states: [], children };
}

function shown(tree: TreeNode, view: DistillOptions): DistilledTree {
  let last = 0;
  return distill(tree, view, () => `@e${(last += 1)}`);
}

interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

function hasRef(node: PeerNode): boolean {
  return node.ref !== undefined;
}

function totals(what: string, pairs: readonly Pair[]): Figure {
  const value = pairs.reduce((sum, pair) => sum + pair.ours, 0);
  const baseline = pairs.reduce((sum, pair) => sum + pair.theirs, 0);
  return { what, value, unit: 'tokens', baseline, ratio: rounded(value / baseline, 3) };
}

/** Counts special tokens of the model as plain text. */
function tokens(text: string): number {
  return encode(text, { disallowedSpecial: new Set() }).length;
}
