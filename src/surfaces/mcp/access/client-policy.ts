import type { App } from '../../../app/app.ts';
import type {
  Policy,
  PolicyList,
  PolicyRequest,
  SecurityMode,
  Verdict,
} from '../../../model/policy/verdict.ts';
import type { Caller } from '../../../model/sessions/caller.ts';
import type { Unwatch } from '../connections/connection.ts';

/** Editors write a file in several steps. */
const SETTLING_MS = 100;

/** The policy of one client, as it was when it was read last. What is listed follows it; every call is judged anew. */
export class ClientPolicy implements Policy {
  private readonly app: Pick<App, 'policyOf' | 'watchPolicy'>;
  private readonly caller: () => Caller;
  private readonly listeners = new Set<() => void>();
  private latest: Policy;
  private end: Unwatch | undefined;

  private constructor(app: ClientPolicy['app'], caller: () => Caller, latest: Policy) {
    this.app = app;
    this.caller = caller;
    this.latest = latest;
  }

  /** @param caller the client as it is now: its roots may change it */
  static async open(app: ClientPolicy['app'], caller: () => Caller): Promise<ClientPolicy> {
    return new ClientPolicy(app, caller, await app.policyOf(caller()));
  }

  get mode(): SecurityMode {
    return this.latest.mode;
  }

  get lists(): readonly PolicyList[] {
    return this.latest.lists;
  }

  get judgesElements(): boolean {
    return this.latest.judgesElements;
  }

  decide(request: PolicyRequest): Verdict {
    return this.latest.decide(request);
  }

  /** Reads it again. */
  async refresh(): Promise<void> {
    this.latest = await this.app.policyOf(this.caller());
  }

  /** Calls `onRead` whenever it has been read again because it may have changed. */
  watch(onRead: () => void): Unwatch {
    // Not the function itself: the same one may watch twice.
    const listener = (): void => onRead();
    this.listeners.add(listener);
    this.end ??= this.begin();
    return () => {
      if (!this.listeners.delete(listener) || this.listeners.size > 0) return;
      this.end?.();
      this.end = undefined;
    };
  }

  /** Calls `onChange` with something that follows from it, when that has changed. */
  watchFor<T>(of: () => T, onChange: (now: T) => void): Unwatch {
    let told = of();
    return this.watch(() => {
      const now = of();
      if (now === told) return;
      told = now;
      onChange(now);
    });
  }

  /** One watch for all listeners. */
  private begin(): Unwatch {
    let settling: NodeJS.Timeout | undefined;
    const read = async (): Promise<void> => {
      await this.refresh();
      for (const listener of this.listeners) listener();
    };
    const end = this.app.watchPolicy(this.caller(), () => {
      clearTimeout(settling);
      // Only bugs make it reject; the next change tries again.
      settling = setTimeout(() => void read().catch(() => undefined), SETTLING_MS).unref();
    });
    return () => {
      clearTimeout(settling);
      end();
    };
  }
}
