import type { StopState, StopSwitchPort } from '../../src/ports/input.ts';
import type { SimulatedInput } from './simulated-input.ts';

export class SimulatedStopSwitch implements StopSwitchPort {
  private current: StopState = { stopped: false };
  private readonly input: SimulatedInput;
  private readonly listeners = new Set<(state: StopState) => void>();
  private readonly changeListeners = new Set<(state: StopState) => void>();

  constructor(input: SimulatedInput) {
    this.input = input;
  }

  async state(): Promise<StopState> {
    return this.current;
  }

  async stop(by: string): Promise<StopState> {
    if (!this.current.stopped || this.current.takeover === true)
      this.set({ stopped: true, since: new Date(0).toISOString(), by });
    return this.current;
  }

  async resume(): Promise<StopState> {
    this.set({ stopped: false });
    return this.current;
  }

  async takeOver(by: string): Promise<StopState> {
    if (!this.current.stopped)
      this.set({ stopped: true, since: new Date(0).toISOString(), by, takeover: true });
    return this.current;
  }

  async handBack(): Promise<StopState> {
    if (this.current.takeover === true) this.set({ stopped: false });
    return this.current;
  }

  onChange(listener: (state: StopState) => void): () => void {
    this.changeListeners.add(listener);
    return () => this.changeListeners.delete(listener);
  }

  private set(state: StopState): void {
    this.current = state;
    if (state.stopped) this.input.stop(state);
    else this.input.resume();
    for (const listener of this.changeListeners) listener(state);
    if (state.stopped) for (const listener of this.listeners) listener(state);
  }

  onStop(listener: (state: StopState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async hotKey(): Promise<undefined> {
    return undefined;
  }
}
