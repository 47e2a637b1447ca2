import { isDeepStrictEqual } from 'node:util';
import type { StopState, StopSwitchPort } from '../../../../../ports/input.ts';
import { isStop } from '../../lease-errors.ts';
import type { StopFile } from './stop-file.ts';
import type { WaylandInput } from './wayland-input.ts';

type Listener = (state: StopState) => void;

/** Stops all acting on a Wayland display, by every process of ours. Compositors offer no hot key to clients. */
export class WaylandStopSwitch implements StopSwitchPort {
  readonly #file: StopFile;
  readonly #input: WaylandInput;
  readonly #stopListeners = new Set<Listener>();
  readonly #changeListeners = new Set<Listener>();
  readonly #unwatch: () => void;
  #known: StopState = { stopped: false };

  constructor(file: StopFile, input: WaylandInput) {
    this.#file = file;
    this.#input = input;
    this.#unwatch = file.watch(() => this.#update());
    this.#update();
  }

  async state(): Promise<StopState> {
    return this.#update();
  }

  async stop(by: string): Promise<StopState> {
    if (!isStop(this.#file.read())) this.#file.write(by);
    const state = this.#update();
    if (state.stopped) await this.#input.stop(state);
    return state;
  }

  async resume(): Promise<StopState> {
    this.#file.remove();
    return this.#update();
  }

  async takeOver(by: string): Promise<StopState> {
    const isNew = !this.#file.read().stopped;
    if (isNew) this.#file.write(by, { isTakeover: true });
    const state = this.#update();
    // Later, what is held is held by the person.
    if (isNew && state.takeover === true) await this.#input.stop(state);
    return state;
  }

  async handBack(): Promise<StopState> {
    if (this.#file.read().takeover === true) this.#file.remove();
    return this.#update();
  }

  onChange(listener: Listener): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  onStop(listener: Listener): () => void {
    this.#stopListeners.add(listener);
    return () => this.#stopListeners.delete(listener);
  }

  async hotKey(): Promise<string | undefined> {
    return undefined;
  }

  close(): void {
    this.#unwatch();
  }

  #update(): StopState {
    const state = this.#file.read();
    const before = this.#known;
    this.#known = state;
    if (isDeepStrictEqual(state, before)) return state;
    for (const listener of this.#changeListeners) listener(state);
    if (!state.stopped) this.#input.resume();
    else if (!before.stopped || (isStop(state) && !isStop(before))) {
      void this.#input.stop(state);
      for (const listener of this.#stopListeners) listener(state);
    }
    return state;
  }
}
