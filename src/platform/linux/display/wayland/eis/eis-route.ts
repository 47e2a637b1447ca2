import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { MouseButton, Point } from '../../../../../ports/input.ts';
import { BUTTON_CODES, type InputRoute } from '../input/input-route.ts';
import { displayUnavailable, withinDeadline } from '../wire/wayland-errors.ts';
import { EiClient } from './ei-client.ts';
import { EiError } from './ei-message.ts';
import type { EiStream } from './ei-stream.ts';

/** Keys and pointer by the EI protocol. */
export class EisRoute implements InputRoute {
  readonly #client: EiClient;
  readonly #display: string;

  private constructor(client: EiClient, display: string) {
    this.#client = client;
    this.#display = display;
  }

  /** Resolves once there is a keyboard and a pointer. @throws DeskterityError */
  static async open(stream: EiStream, display: string, options: CallOptions): Promise<EisRoute> {
    const client = new EiClient(stream, 'Deskterity');
    const route = new EisRoute(client, display);
    try {
      const ready = client.ready.catch((error: unknown) => {
        throw route.#explained(error);
      });
      await withinDeadline(ready, display, 'creating a keyboard and a pointer', options);
      return route;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  get layout(): number | undefined {
    return this.#client.layout;
  }

  get isLost(): boolean {
    return this.#client.isLost;
  }

  moveTo({ x, y }: Point): void {
    this.#send(() => this.#client.moveTo(x, y));
  }

  button(button: MouseButton, isDown: boolean): void {
    this.#send(() => this.#client.button(BUTTON_CODES[button], isDown));
  }

  notch(axis: 'x' | 'y', direction: 1 | -1): void {
    this.#send(() => this.#client.scroll(axis === 'x' ? direction : 0, axis === 'y' ? direction : 0));
  }

  key(code: number, isDown: boolean): void {
    this.#send(() => this.#client.key(code, isDown));
  }

  async synced(): Promise<void> {
    await this.#client.synced().catch((error: unknown) => {
      throw this.#explained(error);
    });
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    return this.#client.onLoss((reason) => listener(displayUnavailable(this.#display, reason, true)));
  }

  close(): void {
    this.#client.close();
  }

  #send(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw this.#explained(error);
    }
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof EiError)) return error;
    if (this.#client.isLost) return displayUnavailable(this.#display, error.message, true);
    return new DeskterityError('NOT_ACTIONABLE', 'The compositor does not take this input now.', {
      suggestion: 'Repeat the command: the screen may be locked, or the screens may just have changed.',
      platformDetail: error.message,
      retryable: true,
    });
  }
}
