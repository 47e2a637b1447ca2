import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import type { ClockPort } from '../../../ports/clock.ts';

/** How long an application that shows no sign of work is waited for. */
const IDLE_MS = 500;

/** Watches an application for signs that it is about to change something: a disabled button rarely is enabled out of nothing. */
export class IdleWatch {
  private readonly desktop: Pick<DesktopPort, 'watch'>;
  private readonly clock: ClockPort;
  private stop: (() => void) | undefined;
  private lastAt: number | undefined;

  constructor(desktop: Pick<DesktopPort, 'watch'>, clock: ClockPort) {
    this.desktop = desktop;
    this.clock = clock;
  }

  /** Begins to watch, unless it does already. */
  async begin(appId: string, options: CallOptions): Promise<void> {
    if (this.stop !== undefined) return;
    this.lastAt = this.clock.now();
    this.stop = await this.desktop
      .watch(() => (this.lastAt = this.clock.now()), { ...options, appId })
      .catch(() => () => undefined);
  }

  /** Whether nothing has happened for long enough. */
  get isOver(): boolean {
    return this.lastAt !== undefined && this.clock.now() - this.lastAt >= IDLE_MS;
  }

  end(): void {
    this.stop?.();
    this.stop = undefined;
    this.lastAt = undefined;
  }
}
