import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { liveDeadline } from '../../../../../model/live-deadline.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { StopState, StopSwitchPort } from '../../../../../ports/input.ts';
import { isStop } from '../../lease-errors.ts';
import { HOT_KEY } from './hot-key.ts';
import type { InputConnection, InputConnections } from './input-connection.ts';
import type { X11Input } from './x11-input.ts';

/** For other processes to release what they hold; one that does not is frozen or gone. */
const OTHERS_MS = 150;
const POLL_MS = 10;
const LISTEN_MS = 10_000;

/** Stops all acting on an X display through a property of its root window, which notifies all our processes immediately. */
export class X11StopSwitch implements StopSwitchPort {
  readonly #connections: InputConnections;
  readonly #inputs: readonly X11Input[];
  readonly #listeners = new Set<(state: StopState) => void>();
  readonly #changeListeners = new Set<(state: StopState) => void>();
  #known: StopState = { stopped: false };

  /** @param inputs of all seats */
  constructor(connections: InputConnections, inputs: readonly X11Input[]) {
    this.#connections = connections;
    this.#inputs = inputs;
  }

  /** Listens on a new connection. */
  async attach(connection: InputConnection): Promise<void> {
    const { stopProperty, hotKey } = connection;
    const ignore = (): undefined => undefined;
    const update = async (isWritten: boolean): Promise<void> => {
      const state = await stopProperty.read();
      // Already removed, but it was a stop.
      if (isWritten && !state.stopped) this.#setState({ stopped: true });
      this.#setState(state);
    };
    stopProperty.onChange((isWritten) => {
      update(isWritten).catch(ignore);
    });
    hotKey.onPressed(() => {
      const stop = async (): Promise<void> => {
        if (!isStop(await stopProperty.read())) await stopProperty.write('the hot-key');
      };
      stop().catch(ignore);
    });
    const [state] = await Promise.all([stopProperty.read(), hotKey.listen()]);
    this.#setState(state);
  }

  state(options: CallOptions): Promise<StopState> {
    return this.#call('reading whether acting is stopped', options, ({ stopProperty }) =>
      stopProperty.read(),
    );
  }

  stop(by: string, options: CallOptions): Promise<StopState> {
    return this.#call('stopping', options, async (connection) => {
      const { stopProperty } = connection;
      if (!isStop(await stopProperty.read())) await stopProperty.write(by);
      const state = await stopProperty.read();
      this.#setState(state);
      if (state.stopped) await this.#stopInputs(state);
      await releaseOthers(connection);
      return state;
    });
  }

  resume(options: CallOptions): Promise<StopState> {
    return this.#call('resuming', options, async ({ stopProperty }) => {
      await stopProperty.remove();
      const state = await stopProperty.read();
      this.#setState(state);
      return state;
    });
  }

  takeOver(by: string, options: CallOptions): Promise<StopState> {
    return this.#call('taking over', options, async (connection) => {
      const { stopProperty } = connection;
      const isNew = !(await stopProperty.read()).stopped;
      if (isNew) await stopProperty.write(by, { isTakeover: true });
      const state = await stopProperty.read();
      this.#setState(state);
      // Later, what is held is held by the person.
      if (isNew && state.takeover === true) {
        await this.#stopInputs(state);
        await releaseOthers(connection);
      }
      return state;
    });
  }

  handBack(options: CallOptions): Promise<StopState> {
    return this.#call('handing back', options, async ({ stopProperty }) => {
      if ((await stopProperty.read()).takeover === true) await stopProperty.remove();
      const state = await stopProperty.read();
      this.#setState(state);
      return state;
    });
  }

  onChange(listener: (state: StopState) => void): () => void {
    return this.#listen(this.#changeListeners, listener);
  }

  onStop(listener: (state: StopState) => void): () => void {
    return this.#listen(this.#listeners, listener);
  }

  #listen(all: Set<(state: StopState) => void>, listener: (state: StopState) => void): () => void {
    all.add(listener);
    // An unreachable display reports no stops, but acting on it fails anyway.
    this.#connections.get({ deadlineMs: LISTEN_MS }).catch(() => undefined);
    return () => all.delete(listener);
  }

  hotKey(options: CallOptions): Promise<string | undefined> {
    return this.#call('setting up the hot-key', options, async ({ hotKey }) =>
      (await hotKey.listen()) ? HOT_KEY : undefined,
    );
  }

  #setState(state: StopState): void {
    const isNew = state.stopped && (!this.#known.stopped || (isStop(state) && !isStop(this.#known)));
    const hasChanged = !isDeepStrictEqual(state, this.#known);
    this.#known = state;
    if (hasChanged) for (const listener of this.#changeListeners) listener(state);
    if (!state.stopped) for (const input of this.#inputs) input.resume();
    if (!isNew) return;
    void this.#stopInputs(state);
    for (const listener of this.#listeners) listener(state);
  }

  async #stopInputs(state: StopState): Promise<void> {
    await Promise.all(this.#inputs.map((input) => input.stop(state)));
  }

  async #call<T>(
    doing: string,
    call: CallOptions,
    work: (connection: InputConnection) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, performance);
    const connection = await this.#connections.get(options);
    return connection.wire.within(work(connection), doing, options);
  }
}

/** Releases what other processes have not released after a while. */
async function releaseOthers(connection: InputConnection): Promise<void> {
  const end = performance.now() + OTHERS_MS;
  while (await connection.held.isRecorded()) {
    if (performance.now() < end) {
      await sleep(POLL_MS);
      continue;
    }
    // Without XTEST none of our processes can have pressed anything.
    const devices = await connection.devices().catch(() => undefined);
    if (devices) await connection.held.releaseLeftOver(devices.fake);
    return;
  }
}
