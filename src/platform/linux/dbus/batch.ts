import { BusError, LOCAL_ERROR } from './bus-error.ts';
import type { CallTemplate } from './marshalling/call-template.ts';
import { type CallSettings, Deadline } from './deadline.ts';
import { Request, type ReplyHandler, type RequestOwner } from './request.ts';
import type { RequestTable } from './request-table.ts';

/** How a batch ended. */
export interface BatchOutcome {
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** Requests without a reply at the deadline or abort; their handlers received that error. */
  readonly outstanding: number;
}

/** Many pipelined requests with one deadline and one AbortSignal; replies go to callbacks. */
export class Batch {
  readonly #requests: RequestTable;
  readonly #deadline: Deadline;
  readonly #owner: RequestOwner;
  readonly #settled: Promise<BatchOutcome>;
  #settle: (outcome: BatchOutcome) => void = () => {};
  #reject: (thrown: unknown) => void = () => {};
  #outstanding = 0;
  #awaited = false;
  #over: BusError | undefined;
  #sent = 0;

  /** Use BusConnection.batch. */
  constructor(requests: RequestTable, settings: CallSettings) {
    this.#requests = requests;
    this.#settled = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#reject = reject;
    });
    this.#owner = {
      answered: () => this.#answered(),
      handlerThrew: (thrown) => this.#handlerThrew(thrown),
    };
    this.#deadline = new Deadline(settings, (error) => this.#expire(error));
    const spent = Deadline.spent(settings);
    if (spent !== undefined) this.#expire(spent);
  }

  /**
   * Resolves when no request is outstanding (requests made inside handlers count), at the deadline, or on abort.
   * Rejects with what a handler threw. Once this property has been read, the batch ends as soon as no request is
   * outstanding.
   */
  get settled(): Promise<BatchOutcome> {
    this.#awaited = true;
    if (this.#outstanding === 0) this.#finish();
    return this.#settled;
  }

  /** Requests made so far. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Makes a request. `onReply` is called exactly once: immediately if the batch is over (`local.Timeout`,
   * `local.Cancelled`), the connection is closed (`local.Disconnected`) or the path is malformed (`local.Protocol`).
   */
  request<T>(template: CallTemplate<T>, path: string, onReply: ReplyHandler<T>): void {
    if (this.#over !== undefined) {
      onReply(this.#over, undefined);
      return;
    }
    this.#outstanding++;
    this.#sent++;
    const request = new Request(template, path, this.#owner, onReply);
    const closed = this.#requests.add(request);
    if (closed !== undefined) request.fail(closed);
  }

  #answered(): void {
    this.#outstanding--;
    if (this.#awaited && this.#outstanding === 0) this.#finish();
  }

  #finish(): void {
    if (this.#over !== undefined) return;
    this.#over = new BusError(LOCAL_ERROR.CANCELLED, 'the batch has settled');
    this.#deadline.clear();
    this.#settle({ timedOut: false, cancelled: false, outstanding: 0 });
  }

  #expire(error: BusError): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#deadline.clear();
    const outstanding = this.#requests.withdraw(this.#owner, error);
    const cancelled = error.errorName === LOCAL_ERROR.CANCELLED;
    this.#settle({ timedOut: !cancelled, cancelled, outstanding });
  }

  #handlerThrew(thrown: unknown): void {
    this.#reject(thrown);
    if (this.#over !== undefined) return;
    this.#over = new BusError(LOCAL_ERROR.CANCELLED, 'a reply handler of the batch threw', { cause: thrown });
    this.#deadline.clear();
    this.#requests.withdraw(this.#owner, this.#over);
  }
}
