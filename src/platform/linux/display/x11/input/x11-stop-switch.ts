import { setTimeout as sleep } from 'node:timers/promises';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { CallOptions } from '../../../../../ports/desktop.ts';
import type { StopState, StopSwitchPort } from '../../../../../ports/input.ts';
import { withDeadline } from '../x11-errors.ts';
import { HOT_KEY } from './hot-key.ts';
import type { InputConnection, InputConnections } from './input-connection.ts';
import type { X11Input } from './x11-input.ts';

/** For other processes to release what they hold themselves; who does not is frozen or dead. */
const OTHERS_MS = 150;
const LOOK_EVERY_MS = 10;
const LISTEN_MS = 10_000;

/** Stops all acting on an X display: a note on its root window, which every process of ours hears of at once. */
export class X11StopSwitch implements StopSwitchPort {
  readonly #connections: InputConnections;
  readonly #input: X11Input;
  readonly #listeners = new Set<(state: StopState) => void>();
  #known: StopState = { stopped: false };

  constructor(connections: InputConnections, input: X11Input) {
    this.#connections = connections;
    this.#input = input;
  }

  /** Listens on a new connection. */
  async attach(connection: InputConnection): Promise<void> {
    const { stopNote, hotKey } = connection;
    const ignore = (): undefined => undefined;
    const hear = async (isWritten: boolean): Promise<void> => {
      const state = await stopNote.read();
      // Removed already, and yet it was a stop.
      if (isWritten && !state.stopped) this.#become({ stopped: true });
      this.#become(state);
    };
    stopNote.onChange((isWritten) => {
      hear(isWritten).catch(ignore);
    });
    hotKey.onPressed(() => {
      const stop = async (): Promise<void> => {
        if (!(await stopNote.read()).stopped) await stopNote.write('the hot-key');
      };
      stop().catch(ignore);
    });
    const [state] = await Promise.all([stopNote.read(), hotKey.listen()]);
    this.#become(state);
  }

  state(options: CallOptions): Promise<StopState> {
    return this.#call('reading whether acting is stopped', options, ({ stopNote }) => stopNote.read());
  }

  stop(by: string, options: CallOptions): Promise<StopState> {
    return this.#call('stopping', options, async (connection) => {
      const { stopNote } = connection;
      if (!(await stopNote.read()).stopped) await stopNote.write(by);
      const state = await stopNote.read();
      this.#become(state);
      if (state.stopped) await this.#input.stop(state);
      await releaseOthers(connection);
      return state;
    });
  }

  resume(options: CallOptions): Promise<StopState> {
    return this.#call('resuming', options, async ({ stopNote }) => {
      await stopNote.remove();
      const state = await stopNote.read();
      this.#become(state);
      return state;
    });
  }

  onStop(listener: (state: StopState) => void): () => void {
    this.#listeners.add(listener);
    // Nothing is heard of a display that cannot be reached; whoever acts there is told so.
    this.#connections.get({ deadlineMs: LISTEN_MS }).catch(() => undefined);
    return () => this.#listeners.delete(listener);
  }

  hotKey(options: CallOptions): Promise<string | undefined> {
    return this.#call('asking for the hot-key', options, async ({ hotKey }) =>
      (await hotKey.listen()) ? HOT_KEY : undefined,
    );
  }

  #become(state: StopState): void {
    const isNew = state.stopped && !this.#known.stopped;
    this.#known = state;
    if (!state.stopped) this.#input.resume();
    if (!isNew) return;
    void this.#input.stop(state);
    for (const listener of this.#listeners) listener(state);
  }

  async #call<T>(
    doing: string,
    call: CallOptions,
    work: (connection: InputConnection) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, () => performance.now());
    const connection = await this.#connections.get(options);
    return withDeadline(work(connection), connection.wire.display, doing, options);
  }
}

/** What is still noted as held down after a while is released by us. */
async function releaseOthers(connection: InputConnection): Promise<void> {
  const end = performance.now() + OTHERS_MS;
  while (await connection.held.isNoted()) {
    if (performance.now() < end) {
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    // Without XTEST nobody of ours can have pressed anything.
    const tools = await connection.instruments().catch(() => undefined);
    if (tools) await connection.held.releaseLeftOver(tools.fake);
    return;
  }
}
