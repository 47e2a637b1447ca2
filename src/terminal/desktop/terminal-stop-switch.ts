import type { StopState, StopSwitchPort } from '../../ports/input.ts';
import type { TerminalInput } from '../sessions/held/terminal-input.ts';

/** Stops all input of this process to one terminal. */
export class TerminalStopSwitch implements StopSwitchPort {
  private readonly input: TerminalInput;
  private readonly listeners = new Set<(state: StopState) => void>();
  private current: StopState = { stopped: false };

  constructor(input: TerminalInput) {
    this.input = input;
  }

  async state(): Promise<StopState> {
    return this.current;
  }

  async stop(by: string): Promise<StopState> {
    if (this.current.stopped) return this.current;
    this.current = { stopped: true, since: new Date().toISOString(), by };
    this.input.stop(this.current);
    for (const listener of this.listeners) listener(this.current);
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
