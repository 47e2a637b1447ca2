import type { StopState, StopSwitchPort } from '../../src/ports/input.ts';
import type { SimulatedInput } from './simulated-input.ts';

export class SimulatedStopSwitch implements StopSwitchPort {
  private current: StopState = { stopped: false };
  private readonly input: SimulatedInput;
  private readonly listeners = new Set<(state: StopState) => void>();

  constructor(input: SimulatedInput) {
    this.input = input;
  }

  async state(): Promise<StopState> {
    return this.current;
  }

  async stop(by: string): Promise<StopState> {
    if (!this.current.stopped) {
      this.current = { stopped: true, since: new Date(0).toISOString(), by };
      this.input.stop(this.current);
      for (const listener of this.listeners) listener(this.current);
    }
    return this.current;
  }

  async resume(): Promise<StopState> {
    this.current = { stopped: false };
    this.input.resume();
    return this.current;
  }

  onStop(listener: (state: StopState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async hotKey(): Promise<undefined> {
    return undefined;
  }
}
