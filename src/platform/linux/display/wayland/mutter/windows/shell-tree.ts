import type { Bounds } from '../../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { Application } from '../../../../atspi/bus/application.ts';
import type { ApplicationDirectory } from '../../../../atspi/bus/application-directory.ts';
import { NULL_PATH, ROOT_PATH } from '../../../../atspi/tree/names.ts';
import { hasState, STATE } from '../../../../atspi/tree/states.ts';
import { isWindowActor, type ShellNode } from './shell-nodes.ts';

/** A window as GNOME Shell shows it: what its client draws, with its shadow. */
export interface Actor {
  /** Of its object in the tree of the shell. */
  readonly path: string;
  readonly bounds: Bounds;
}

/** What GNOME Shell shows. */
export interface ShellView {
  /** Lowest first. */
  readonly actors: readonly Actor[];
  /** What the shell itself draws above windows and takes the pointer: its panel, notifications, dialogs. */
  readonly covers: readonly Bounds[];
}

/** More windows than anybody has; objects of a shell that reports more are not read. */
const MOST_CHILDREN = 300;
/** How deep in the shell's own parts something takes the pointer; containers around it fill the screen. */
const MOST_LEVELS = 4;

/** Where everything is in the tree. */
interface Places {
  readonly windows: string;
  /** Siblings above the windows. */
  readonly above: readonly string[];
}

/** The windows in the accessibility tree of GNOME Shell. It is no interface: they are found by structure. */
export class ShellTree {
  readonly #applications: ApplicationDirectory;
  readonly #pid: number;
  #application: Application | undefined;
  /** By path; what an object is never changes. */
  readonly #isWindow = new Map<string, boolean>();

  /** @param pid of the shell */
  constructor(applications: ApplicationDirectory, pid: number) {
    this.#applications = applications;
    this.#pid = pid;
  }

  async isReadable(options: CallOptions): Promise<boolean> {
    const shell = await this.#shell(options);
    return shell !== undefined && (await placesIn(shell, options)) !== undefined;
  }

  /** Nothing where it cannot be read. */
  async read(options: CallOptions): Promise<ShellView> {
    const shell = await this.#shell(options);
    const places = shell && (await placesIn(shell, options));
    if (shell === undefined || places === undefined) return { actors: [], covers: [] };
    const [actors, covers] = await Promise.all([
      this.#actorsIn(shell, places.windows, options),
      coversIn(shell, places.above, options),
    ]);
    return { actors, covers };
  }

  /** Where one window is now; `undefined` if it does not show. */
  async boundsOf(path: string, options: CallOptions): Promise<Bounds | undefined> {
    const shell = await this.#shell(options);
    const [node] = shell === undefined ? [] : await describe(shell, [path], options);
    return node?.isShowing === true ? node.bounds : undefined;
  }

  async #shell(options: CallOptions): Promise<Application | undefined> {
    if (this.#application !== undefined || this.#pid === 0) return this.#application;
    const known = await this.#applications.list(options);
    this.#application = known.find(({ application: { pid } }) => pid === this.#pid)?.application;
    return this.#application;
  }

  async #actorsIn(shell: Application, group: string, options: CallOptions): Promise<readonly Actor[]> {
    const paths = await childrenOf(shell, group, options);
    const nodes = (await describe(shell, paths, options)).filter(({ isShowing }) => isShowing);
    const windows = await Promise.all(nodes.map((node) => this.#check(shell, node, options)));
    for (const known of this.#isWindow.keys()) if (!paths.includes(known)) this.#isWindow.delete(known);
    return nodes.filter((_, index) => windows[index]).map(({ path, bounds }) => ({ path, bounds }));
  }

  async #check(shell: Application, node: ShellNode, options: CallOptions): Promise<boolean> {
    const known = this.#isWindow.get(node.path);
    if (known !== undefined) return known;
    const containers = await Promise.all(
      (await describe(shell, await childrenOf(shell, node.path, options), options)).map(
        async ({ path, bounds }) => ({
          bounds,
          surfaces: (await describe(shell, await childrenOf(shell, path, options), options)).map(
            (surface) => surface.bounds,
          ),
        }),
      ),
    );
    const isWindow = isWindowActor(node, containers);
    // What has not been drawn yet has no size.
    if (isWindow) this.#isWindow.set(node.path, true);
    return isWindow;
  }
}

/** The stage contains one group for everything, whose first part are the windows. */
async function placesIn(shell: Application, options: CallOptions): Promise<Places | undefined> {
  const [stage] = await childrenOf(shell, ROOT_PATH, options);
  if (stage === undefined) return undefined;
  const groups = await Promise.all(
    (await childrenOf(shell, stage, options)).map((path) => childrenOf(shell, path, options)),
  );
  const [windows, ...above] = groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return windows === undefined ? undefined : { windows, above };
}

/** The outermost parts that take the pointer. */
async function coversIn(
  shell: Application,
  paths: readonly string[],
  options: CallOptions,
  levels = MOST_LEVELS,
): Promise<readonly Bounds[]> {
  const nodes = (await describe(shell, paths, options)).filter(({ isShowing }) => isShowing);
  const found = await Promise.all(
    nodes.map(async ({ path, bounds, isSensitive }) => {
      if (isSensitive) return [bounds];
      return levels === 0 ? [] : coversIn(shell, await childrenOf(shell, path, options), options, levels - 1);
    }),
  );
  return found.flat();
}

async function childrenOf(
  { bus, daemonChannel: { connection, templates } }: Application,
  path: string,
  options: CallOptions,
): Promise<readonly string[]> {
  const children = await connection.invoke(templates.children, path, options).catch(() => []);
  return children
    .filter((child) => child.path !== NULL_PATH && (child.bus === '' || child.bus === bus))
    .slice(0, MOST_CHILDREN)
    .map((child) => child.path);
}

interface Described {
  readonly path: string;
  bounds: Bounds | undefined;
  isShowing: boolean;
  isSensitive: boolean;
}

/** In one round trip; what is gone is left out. */
async function describe(
  { daemonChannel: { connection, templates } }: Application,
  paths: readonly string[],
  options: CallOptions,
): Promise<readonly ShellNode[]> {
  const batch = connection.batch(options);
  const found = paths.map((path) => {
    const node: Described = { path, bounds: undefined, isShowing: false, isSensitive: false };
    batch.request(templates.screenExtents, path, (_error, bounds) => (node.bounds = bounds));
    batch.request(templates.state, path, (_error, states) => {
      node.isShowing = states !== undefined && hasState(states, STATE.SHOWING);
      node.isSensitive = states !== undefined && hasState(states, STATE.SENSITIVE);
    });
    return node;
  });
  await batch.settled;
  return found.flatMap(({ bounds, ...node }) => (bounds === undefined ? [] : [{ ...node, bounds }]));
}
