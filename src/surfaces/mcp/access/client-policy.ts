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
  private latest: Policy;

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

  /** Reads it again whenever it may have changed, and calls `onRead` then. */
  watch(onRead: () => void): Unwatch {
    let settling: NodeJS.Timeout | undefined;
    let isOver = false;
    const changed = (): void => {
      clearTimeout(settling);
      settling = setTimeout(() => {
        // Only bugs make it reject; the next change tries again.
        this.refresh()
          .then(() => (isOver ? undefined : onRead()))
          .catch(() => undefined);
      }, SETTLING_MS).unref();
    };
    const end = this.app.watchPolicy(this.caller(), changed);
    return () => {
      isOver = true;
      clearTimeout(settling);
      end();
    };
  }
}
