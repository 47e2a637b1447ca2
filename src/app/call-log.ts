import { DeskterityError } from '../model/effects/errors.ts';
import type { LogEntry } from '../ports/log.ts';
import type { AppParts, CallSettings } from './app.ts';

/** Counts the calls that run, and writes a line for each that has ended. */
export class CallLog {
  private readonly parts: Pick<AppParts, 'clock' | 'log' | 'registry'>;
  private active = 0;

  constructor(parts: Pick<AppParts, 'clock' | 'log' | 'registry'>) {
    this.parts = parts;
  }

  get activeCalls(): number {
    return this.active;
  }

  async during<T>(
    { session, name, settings }: { session: string; name: string; settings: CallSettings },
    body: () => Promise<T>,
  ): Promise<T> {
    const { clock, log, registry } = this.parts;
    const started = clock.now();
    let code: string | undefined;
    this.active += 1;
    try {
      return await body();
    } catch (error) {
      code = error instanceof DeskterityError ? error.code : 'INTERNAL';
      throw error;
    } finally {
      this.active -= 1;
      const entry: LogEntry = {
        level: code === 'INTERNAL' ? 'error' : 'info',
        message: 'call',
        fields: {
          // An unknown name is text that somebody typed.
          command: registry.get(name)?.name ?? 'unknown',
          session,
          ...(code === undefined ? {} : { error: code }),
          duration_ms: Math.round(clock.now() - started),
        },
      };
      log.write(entry);
      settings.onLog?.(entry);
    }
  }
}
