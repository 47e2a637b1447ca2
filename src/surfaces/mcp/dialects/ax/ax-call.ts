import { z } from 'zod';
import type { Answer } from '../../../../app/app.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { SecurityMode } from '../../../../model/policy/verdict.ts';
import { WindowSummary } from '../../../../model/refs/target.ts';
import { clip } from '../../../../model/text/untrusted-text.ts';
import { OutputNode } from '../../../../model/tree/node.ts';
import { isInteractive } from '../../../../model/tree/role.ts';
import { runWithQuestions } from '../../questions/run-with-questions.ts';
import type { ClientCalls } from '../../tools/client-calls.ts';
import type { AxAsking } from './ax-asking.ts';
import { FOUND_BY, parseQuery, STRATEGIES, TRIED, type Strategy } from './ax-query.ts';

type Input = Readonly<Record<string, unknown>>;

const Matches = z.object({
  matches: z.array(OutputNode),
  total: z.int(),
  matched_by: z.string().optional(),
  complete: z.boolean(),
  near_misses: z.array(OutputNode).optional(),
});
const Root = z.object({ tree: OutputNode });
const Value = z.object({ value: z.string().nullable() });
const Windows = z.object({ windows: z.array(WindowSummary) });

/** Of several matches, this many are named. */
const MOST_NAMED = 5;
const ABSENT: ReadonlySet<string> = new Set(['ELEMENT_NOT_FOUND', 'STALE_REF']);

/** What a search has found. */
export interface AxFound {
  /** The first match; absent if nothing matched. */
  readonly node?: OutputNode;
  /** All matches that were read. */
  readonly all: readonly OutputNode[];
  readonly total: number;
  /** In the dialect's words. */
  readonly strategy?: string;
  /** Only similar elements were found. */
  readonly isSimilar: boolean;
  /** The application returned everything that was asked for. */
  readonly isComplete: boolean;
}

/** One call of a tool: the commands that it runs, and how it names elements. */
export class AxCall {
  readonly mode: SecurityMode;
  readonly signal: AbortSignal;
  private readonly isReading: boolean;
  private readonly calls: ClientCalls;
  private readonly asking: AxAsking | undefined;

  /** `asking` is absent where nothing may be asked any more, such as in the steps of a workflow. */
  constructor(
    calls: ClientCalls,
    signal: AbortSignal,
    { mode, isReading }: { readonly mode: SecurityMode; readonly isReading: boolean },
    asking?: AxAsking,
  ) {
    this.calls = calls;
    this.signal = signal;
    this.mode = mode;
    this.isReading = isReading;
    this.asking = asking;
  }

  /** The answer of a command as text and pictures. @throws DeskterityError */
  run(command: string, input: Input): Promise<Answer> {
    return this.calls.answer(command, input, { signal: this.signal, form: 'outline' });
  }

  /** The answer of a command as data, parsed by `schema`. @throws DeskterityError */
  async read<T>(command: string, input: Input, schema: z.ZodType<T>): Promise<T> {
    const { output } = await this.calls.answer(command, input, { signal: this.signal, isData: true });
    return schema.parse(output);
  }

  /** {@link read} of a command that changes nothing, about whose answer the client may be asked. @throws DeskterityError, QuestionsAsked */
  async readAsking<T>(command: string, input: Input, schema: z.ZodType<T>): Promise<T> {
    if (this.asking === undefined || this.isReading) return this.read(command, input, schema);
    return runWithQuestions({
      ...this.asking,
      command,
      input,
      runsOthers: false,
      run: (asked) => this.read(command, asked, schema),
      outputOf: (output) => output,
    });
  }

  /** The windows of an application, the focused one first. @throws DeskterityError */
  async windows(app: string): Promise<readonly WindowSummary[]> {
    const { windows } = await this.read('list-windows', { app, include_minimized: true }, Windows);
    const rank = ({ focused, minimized }: WindowSummary): number => (focused ? 2 : 0) + (minimized ? 0 : 1);
    return windows.toSorted((a, b) => rank(b) - rank(a));
  }

  /** Searches the windows of an application, the front one first, until one has a match. @throws DeskterityError */
  async find(app: string, query: string, strategy: Strategy = 'auto', more: Input = {}): Promise<AxFound> {
    const parsed = parseQuery(query, app);
    if (parsed.kind === 'target') return this.look(parsed.target);
    const by = parsed.query === '' ? 'auto' : STRATEGIES[strategy];
    const asked = { query: parsed.query, role: parsed.role, by, limit: MOST_NAMED, ...more };
    const first = found(await this.read('find', { ...asked, app }, Matches));
    if (isMatch(first)) return first;
    let isComplete = first.isComplete;
    let similar = first;
    for (const { ref, accessible } of await this.windows(app)) {
      if (!accessible) continue;
      const next = found(await this.read('find', { ...asked, window: ref }, Matches));
      if (isMatch(next)) return next;
      isComplete &&= next.isComplete;
      if (similar.node === undefined) similar = next;
    }
    return { ...similar, isComplete };
  }

  /** The first element that a query names, for reading. @throws DeskterityError ELEMENT_NOT_FOUND */
  async first(app: string, query: string): Promise<string> {
    const result = await this.find(app, query);
    const ref = isMatch(result) ? result.node?.ref : undefined;
    if (ref === undefined) throw notFound(query, result);
    return ref;
  }

  /**
   * The one element that a query names, as a target for commands: an act on one of several would be a guess.
   * @throws DeskterityError ELEMENT_NOT_FOUND, AMBIGUOUS_TARGET
   */
  async element(app: string, query: string): Promise<string> {
    const parsed = parseQuery(query, app);
    if (parsed.kind === 'target') return parsed.target;
    const result = await this.find(app, query);
    if (!isMatch(result)) throw notFound(query, result);
    const usable = result.all.filter(({ role }) => isInteractive(role));
    const [only, other] = usable.length > 0 ? usable : result.all;
    const ref = only?.ref;
    // Of more matches than were read, the others are not known.
    if (ref === undefined || other !== undefined || result.total > result.all.length)
      throw severalFound(query, result);
    return ref;
  }

  /** A window by its number in {@link windows}. @throws DeskterityError WINDOW_NOT_FOUND */
  async window(app: string, index: number): Promise<WindowSummary> {
    const windows = await this.windows(app);
    const window = windows[index];
    if (window !== undefined) return window;
    throw new DeskterityError(
      'WINDOW_NOT_FOUND',
      `The application has no window ${index}, only ${windows.length}.`,
      {
        suggestion: 'Windows are counted from 0: see ax_list_windows.',
      },
    );
  }

  /** A value that is too long for searches and trees. @throws DeskterityError */
  async wholeValue(ref: string): Promise<string | undefined> {
    const { value } = await this.read('get', { property: 'value', ref }, Value);
    return value ?? undefined;
  }

  /** The element that an element_ref names, or the first that a locator names. */
  private async look(target: string): Promise<AxFound> {
    try {
      const { tree } = await this.read(
        'snapshot',
        { root: target, max_depth: 0, include_bounds: true },
        Root,
      );
      return {
        node: tree,
        all: [tree],
        total: 1,
        strategy: 'identifier',
        isSimilar: false,
        isComplete: true,
      };
    } catch (error) {
      if (!(error instanceof DeskterityError)) throw error;
      const [first] = error.candidates;
      // In document order.
      if (error.code === 'AMBIGUOUS_TARGET' && first?.ref !== undefined && first.ref !== target)
        return this.look(first.ref);
      if (!ABSENT.has(error.code)) throw error;
      return { all: [], total: 0, isSimilar: false, isComplete: true };
    }
  }
}

function found({ matches, total, matched_by: by, complete }: z.output<typeof Matches>): AxFound {
  const [node] = matches;
  return {
    ...(node === undefined ? {} : { node }),
    all: matches,
    total,
    ...(by === undefined ? {} : { strategy: FOUND_BY[by] ?? by }),
    isSimilar: by === 'fuzzy',
    isComplete: complete,
  };
}

function isMatch({ node, isSimilar }: AxFound): boolean {
  return node !== undefined && !isSimilar;
}

function notFound(query: string, { all, isComplete }: AxFound): DeskterityError {
  const incomplete = isComplete ? '' : ' Part of the application could not be read.';
  return new DeskterityError('ELEMENT_NOT_FOUND', `Element not found: '${clip(query, 80)}'.${incomplete}`, {
    suggestion: 'Try ax_get_tree to see available elements, with include_invisible for closed menus.',
    candidates: all.map((node) => ({ ...named(node), detail: 'similar' })),
    delivered: false,
    retryable: true,
    platformDetail: `Strategies tried: ${TRIED}`,
  });
}

function severalFound(query: string, { all, total }: AxFound): DeskterityError {
  return new DeskterityError('AMBIGUOUS_TARGET', `${total} elements match '${clip(query, 80)}'.`, {
    suggestion: 'Call again with the element_ref of the right one as query.',
    candidates: all.map((node) => named(node)),
    delivered: false,
  });
}

function named({ ref, role, name }: OutputNode) {
  return { ...(ref === undefined ? {} : { ref }), role, ...(name === undefined ? {} : { name }) };
}
