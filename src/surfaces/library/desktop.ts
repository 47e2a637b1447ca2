import { openApp } from '../../app/open-app.ts';
import type { App } from '../../app/app.ts';
import { changedError } from '../../model/effects/changed-error.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { spellMentionsIn } from '../../model/text/mention.ts';
import { readArguments, toCamel } from './convert.ts';
import { Commands } from './commands.generated.ts';
import type { Answer, Answers, CallOptions, GetOutput, SnapshotInput, Target } from './commands.generated.ts';
import { isRecord } from '../../model/is-record.ts';
import { librarySpeller, camelCase } from './library-speller.ts';
import { OpenCalls } from './open-calls.ts';
import type { PropertyAnswer, PropertyInput, PropertyValues } from './property.ts';
import { namedShapes } from './shape.ts';
import { shapes, VERSION } from './shapes.generated.ts';
import { withHelpers, type Snapshot, type WindowChanges } from './snapshot.ts';
import { Configuration } from '../../model/configuration/config.ts';

export interface OpenOptions {
  /**
   * Name of a session whose references are shared with the command line (`desk --session NAME`): `default`, or one that `desk session new` or
   * `sessionNew` has made. Without a name the desktop has its own references, which are discarded with it.
   */
  readonly session?: string | undefined;
  /** Variables that identify the desktop, such as DISPLAY, and are passed to launched applications. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Folder that relative paths are resolved against. Default: that of this process. */
  readonly cwd?: string | undefined;
}

export interface OpenPrivateOptions extends CallOptions {
  /** Screen width in pixels, from 320 to 16384. Default: as configured, else 1920. */
  readonly width?: number | undefined;
  /** Screen height in pixels, from 200 to 16384. Default: as configured, else 1080. */
  readonly height?: number | undefined;
  /** Longest time to start, in milliseconds. Default: 30000. */
  readonly timeoutMs?: number | undefined;
  /** Variables for the programs of the desktop. Default: those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Folder that relative paths are resolved against. Default: that of this process. */
  readonly cwd?: string | undefined;
}

export type SnapshotSinceInput = SnapshotInput & CallOptions & { readonly since: string };

const named = namedShapes(shapes);

const OWN_SESSION = 'library';
/** The session that creates {@link OWN_SESSION}, which must not exist before. */
const STARTING_SESSION = 'starting';

/**
 * A desktop and a session on it, with the commands as methods. It runs in this process, without a daemon, and keeps the process alive until it is
 * closed: call {@link close}, or declare it with `await using`.
 */
export class Desktop extends Commands implements AsyncDisposable {
  readonly #app: App;
  /** The session whose references this desktop uses. */
  readonly sessionName: string;
  readonly #calls = new OpenCalls();
  /** Set if this is another session of an open desktop. */
  readonly #parent: Desktop | undefined;
  readonly #sessions = new Set<Desktop>();
  #closed: Promise<void> | undefined;

  private constructor(app: App, sessionName: string, parent?: Desktop) {
    super((command, given) => this.#call(command, given));
    this.#app = app;
    this.sessionName = sessionName;
    this.#parent = parent;
  }

  /**
   * Opens the desktop that the environment names: on Linux the one at DISPLAY. Nothing is touched until the first call. If there is no
   * desktop at all, the first call that needs one starts a private one, and every answer names it in `privateDesktop`.
   */
  static async open(options: OpenOptions = {}): Promise<Desktop> {
    const { session, environment = process.env, cwd = process.cwd() } = options;
    const sessionsIn = session === undefined ? 'memory' : 'files';
    const app = openApp({
      environment,
      cwd,
      version: VERSION,
      isPersistent: true,
      sessionsIn,
      client: 'library',
    });
    return new Desktop(app, session ?? OWN_SESSION);
  }

  /**
   * Starts an invisible desktop with its own display server, window manager and buses. It ends with {@link close} or with this process.
   * @throws DeskterityError DISPLAY_UNAVAILABLE if a required program is missing, TIMEOUT, INVALID_ARGUMENT, CANCELLED
   */
  static async openPrivate(options: OpenPrivateOptions = {}): Promise<Desktop> {
    const { environment = process.env, cwd = process.cwd(), signal } = options;
    const input = privateSession(OWN_SESSION, options);
    const app = openApp({
      environment,
      cwd,
      version: VERSION,
      isPersistent: true,
      sessionsIn: 'memory',
      client: 'library',
    });
    try {
      await app.call(STARTING_SESSION, 'session new', input, signal === undefined ? {} : { signal });
      return new Desktop(app, OWN_SESSION);
    } catch (error) {
      await app.close();
      throw error instanceof DeskterityError ? changedError(error, librarySpeller) : error;
    }
  }

  /**
   * Reads a window as a tree of elements, with a reference for each usable one. The answer can also find elements and print itself as an
   * outline. With `since` it reports changes since the answer with that cursor, or the tree if that state was discarded.
   */
  override snapshot(input: SnapshotSinceInput): Promise<Snapshot | WindowChanges>;
  override snapshot(input?: SnapshotInput & CallOptions & { readonly since?: undefined }): Promise<Snapshot>;
  override async snapshot(input?: SnapshotInput & CallOptions): Promise<Snapshot | WindowChanges> {
    return withHelpers(await super.snapshot(input));
  }

  /**
   * Reads one property of an element, or of a window (`title` and `tree-stats`). Always a fresh read.
   */
  override get<P extends keyof PropertyValues>(
    property: P,
    ref: Target,
    options?: Omit<PropertyInput<P>, 'property' | 'ref'>,
  ): Promise<PropertyAnswer<P>>;
  override get<P extends keyof PropertyValues>(
    property: P,
    options?: Omit<PropertyInput<P>, 'property'>,
  ): Promise<PropertyAnswer<P>>;
  override get<P extends keyof PropertyValues>(input: PropertyInput<P>): Promise<PropertyAnswer<P>>;
  override get(...given: readonly unknown[]): Promise<Answer<GetOutput>> {
    return this.#call('get', given);
  }

  /**
   * Another session in this process, with its own references, created by `sessionNew`. It is closed with this one.
   * @throws DeskterityError SESSION_NOT_FOUND when this one is closed
   */
  inSession(name: string): Desktop {
    this.#requireOpen('inSession');
    const desktop = new Desktop(this.#app, name, this);
    this.#sessions.add(desktop);
    return desktop;
  }

  /**
   * Ends the private desktop with all its applications, or disconnects from the user's. Running calls end with CANCELLED, later ones are
   * refused. Safe to call twice. A desktop from {@link inSession} only disconnects: its session ends with `sessionKill` or with the first desktop.
   */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#calls.cancelAll();
    if (this.#parent !== undefined) this.#parent.#sessions.delete(this);
    await Promise.all([...this.#sessions].map((session) => session.close()));
    if (this.#parent === undefined) await this.#app.close();
  }

  #requireOpen(method: string): void {
    if (this.#closed === undefined) return;
    throw new DeskterityError('SESSION_NOT_FOUND', `${method} was called on a closed desktop.`, {
      suggestion: 'Open another one with Desktop.open() or Desktop.openPrivate().',
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #call<N extends keyof Answers>(command: N, given: readonly unknown[]): Promise<Answer<Answers[N]>> {
    const method = camelCase(command);
    const shape = shapes.commands[command];
    if (shape === undefined) throw new TypeError(`The library has no command ${command}.`);
    this.#requireOpen(method);
    const { input, signal } = readArguments(method, given, shape, named);
    const convert = (output: Record<string, unknown>) => {
      const { private_desktop: privateDesktop, ...own } = output;
      const camel = toCamel(spellMentionsIn(own, librarySpeller), shape.output, named);
      return {
        ...(isRecord(camel) ? camel : {}),
        ...(privateDesktop === undefined ? {} : { privateDesktop }),
      };
    };
    try {
      const output = await this.#calls.run(signal, (ending) =>
        this.#app.call(this.sessionName, command, input, {
          signal: ending,
          mayCreateSession: this.sessionName === OWN_SESSION,
        }),
      );
      // The types are generated from the schemas that check the commands' output.
      return convert(output) as Answer<Answers[N]>;
    } catch (error) {
      throw error instanceof DeskterityError ? changedError(error, librarySpeller, convert) : error;
    }
  }
}

/**
 * The input of `session new` for a private desktop. Width and height default to the user's configuration.
 * @throws DeskterityError INVALID_ARGUMENT for an impossible screen size
 */
export function privateSession(
  name: string,
  { width, height, timeoutMs }: OpenPrivateOptions,
): Record<string, unknown> {
  const size = width === undefined && height === undefined ? {} : { size: sizeOf(width, height) };
  return { name, private: true, ...size, ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }) };
}

function sizeOf(width: number | undefined, height: number | undefined): string {
  const size = Configuration.shape.private_desktop.safeParse({ width, height });
  if (size.success) return `${size.data.width}x${size.data.height}`;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `A screen of ${shown(width)} × ${shown(height)} pixels is not possible.`,
    { suggestion: 'Give whole numbers: a width from 320 and a height from 200, both up to 16384.' },
  );
}

function shown(value: number | undefined): string {
  return value === undefined ? 'default' : String(value).slice(0, 80);
}
