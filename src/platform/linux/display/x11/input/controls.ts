import type { CallOptions } from '../../../../../ports/desktop.ts';
import type { DisplayControls } from '../../display.ts';
import { ServerClock } from '../server-clock.ts';
import type { X11Wire } from '../wire.ts';
import { InputConnections } from './input-connection.ts';
import { X11Input } from './x11-input.ts';
import { X11StopSwitch } from './x11-stop-switch.ts';

/** Keyboard, pointer and the stop switch, on a separate connection, which opens on first use. */
export class Controls implements DisplayControls {
  readonly input: X11Input;
  readonly stopSwitch: X11StopSwitch;
  readonly #connections: InputConnections;

  constructor(connect: (options: CallOptions) => Promise<X11Wire>, clock = new ServerClock()) {
    this.#connections = new InputConnections(connect, (connection) => this.stopSwitch.attach(connection));
    this.input = new X11Input(this.#connections, clock);
    this.stopSwitch = new X11StopSwitch(this.#connections, this.input);
  }

  /** Releases all keys and buttons and ends the lease. */
  async close(): Promise<void> {
    await this.input.release();
    await this.#connections.close();
  }
}
