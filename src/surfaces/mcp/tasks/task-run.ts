import { DeskterityError } from '../../../model/effects/errors.ts';
import { TIMERS, within } from '../../../model/within.ts';
import { ReachedInCall, type ReachedList } from '../../../model/policy/reached.ts';
import { reachingFor } from './reached-by-task.ts';
import { isInputRequiredResult, type CallToolResult, type InputRequiredResult } from '../sdk.ts';

/** Questions of one call to its client, and what the client sends back for each. */
export type Questions = NonNullable<InputRequiredResult['inputRequests']>;
export type Responses = Readonly<Record<string, unknown>>;

export type TaskOutcome =
  | { readonly kind: 'result'; readonly result: CallToolResult; readonly isCancelled: boolean }
  | { readonly kind: 'error'; readonly error: unknown; readonly isCancelled: boolean }
  /** It asked before it became a task: its client answers in another call. */
  | { readonly kind: 'asks'; readonly asked: InputRequiredResult };

export interface TaskControls {
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
  /** What it is doing. */
  readonly say: (message: string) => void;
  /** It has started an operation, which carries it on from here. */
  readonly onOperation: (operationId: string) => void;
}

/** What runs; called again with the responses when it has asked something. */
export type TaskWork = (
  controls: TaskControls,
  answered: { readonly responses: Responses; readonly asked: InputRequiredResult } | undefined,
) => Promise<CallToolResult | InputRequiredResult>;

export interface TaskRunParts {
  readonly work: TaskWork;
  /** What it had reached before, when it is taken over. */
  readonly reached?: ReachedList | undefined;
  /** Known from the beginning when an operation is taken over. */
  readonly operationId?: string | undefined;
  /** Ends an operation with its processes; whether it was still running. */
  readonly cancelOperation: (operationId: string) => Promise<boolean>;
  /** It begins when this has resolved. Default: at once. */
  readonly ready?: Promise<void> | undefined;
  /** For its client to answer what it asks. */
  readonly answerMs?: number | undefined;
}

/** A client that does not answer in this time has forgotten its task, which must not take the place of others. */
const ANSWER_MS = 10 * 60_000;

/** A call that may become a task, or is one. */
export class TaskRun {
  readonly ended: Promise<TaskOutcome>;
  /** Resolves when it has started an operation, asks something, or has ended. */
  readonly begun: Promise<void>;
  operationId: string | undefined;
  message: string | undefined;
  /** Called when it begins or stops to wait for its client. */
  onChange: () => void = () => undefined;
  /** What the policy let it reach so far. */
  readonly reached: ReachedInCall;
  private readonly parts: TaskRunParts;
  private readonly answerMs: number;
  private readonly abort = new AbortController();
  private readonly open = new Map<string, { readonly key: string; readonly question: Questions[string] }>();
  private responses: Record<string, unknown> = Object.create(null);
  private resume: (() => void) | undefined;
  /** Of the questions that are open: aborted when they no longer are. */
  private round: AbortController | undefined;
  private refusal: DeskterityError | undefined;
  private rounds = 0;
  private isTask = false;
  private hasAsked = false;
  /** Whether what runs was still running when it was cancelled. */
  private cancelling: Promise<boolean> | undefined;
  private hasBegun: () => void = () => undefined;

  constructor(parts: TaskRunParts) {
    this.parts = parts;
    this.answerMs = parts.answerMs ?? ANSWER_MS;
    this.operationId = parts.operationId;
    this.reached = new ReachedInCall(parts.reached);
    this.begun = new Promise((resolve) => {
      this.hasBegun = resolve;
    });
    this.ended = reachingFor(this.reached, () => this.run());
    if (this.operationId !== undefined) this.hasBegun();
    void this.ended.then(() => this.hasBegun());
  }

  /** What it asks its client at the moment, by keys that are used only once. */
  get questions(): Questions {
    return Object.fromEntries([...this.open].map(([name, { question }]) => [name, question]));
  }

  get isAsking(): boolean {
    return this.open.size > 0;
  }

  /** Aborted when {@link questions} are no longer asked, whatever ended them. */
  get asking(): AbortSignal {
    return this.round?.signal ?? AbortSignal.abort();
  }

  /** From now on it waits for answers instead of ending with its questions. @returns whether it has not ended with some already */
  becomeTask(): boolean {
    this.isTask = !this.hasAsked;
    return this.isTask;
  }

  /** Ends it, and the operation that it has started. Resolves when the operation has been told; see {@link ended}. */
  async cancel(): Promise<void> {
    if (this.cancelling !== undefined) return;
    const { operationId } = this;
    if (operationId === undefined) {
      this.cancelling = Promise.resolve(true);
      this.abort.abort();
      this.resume?.();
      return;
    }
    // Its end is then seen by whoever waits for it, with everything that it wrote.
    const cancelling = this.parts.cancelOperation(operationId);
    this.cancelling = cancelling.catch(() => {
      this.cancelling = undefined;
      return false;
    });
    await cancelling;
  }

  /** Ends it at once, for a client that will never know of it. The call ends what it has started. */
  abandon(): void {
    this.cancelling ??= Promise.resolve(true);
    this.abort.abort();
    this.resume?.();
    // The call may have been answered already.
    if (this.operationId !== undefined) this.parts.cancelOperation(this.operationId).catch(() => undefined);
  }

  /** Stops waiting; an operation goes on. */
  stop(): void {
    if (this.operationId === undefined) void this.cancel();
  }

  /** Takes the answers to {@link questions}; what was not asked is ignored. */
  answer(given: Responses): void {
    for (const [name, response] of Object.entries(given)) {
      const asked = this.open.get(name);
      if (asked === undefined) continue;
      this.open.delete(name);
      this.responses[asked.key] = response;
    }
    if (this.open.size === 0) this.resume?.();
  }

  /** Ends it, because its client will not answer {@link questions}. */
  refuse(why: DeskterityError): void {
    this.refusal ??= why;
    this.resume?.();
  }

  private async run(): Promise<TaskOutcome> {
    const controls: TaskControls = {
      signal: this.abort.signal,
      say: (message) => (this.message = message),
      onOperation: (operationId) => {
        this.operationId ??= operationId;
        this.hasBegun();
      },
    };
    try {
      await this.parts.ready;
      this.abort.signal.throwIfAborted();
      let result = await this.parts.work(controls, undefined);
      while (isInputRequiredResult(result)) {
        if (!this.isTask) {
          this.hasAsked = true;
          return { kind: 'asks', asked: result };
        }
        const responses = await this.ask(result);
        result = await this.parts.work(controls, { responses, asked: result });
      }
      return { kind: 'result', result, isCancelled: (await this.cancelling) ?? false };
    } catch (error) {
      return { kind: 'error', error, isCancelled: (await this.cancelling) ?? false };
    }
  }

  private async ask(asked: InputRequiredResult): Promise<Responses> {
    this.rounds += 1;
    this.responses = Object.create(null);
    for (const [key, question] of Object.entries(asked.inputRequests ?? {}))
      this.open.set(this.rounds === 1 ? key : `${key}-${this.rounds}`, { key, question });
    this.hasBegun();
    if (this.open.size > 0) {
      const answered = new Promise<void>((resolve) => {
        this.resume = resolve;
      });
      const round = new AbortController();
      this.round = round;
      this.onChange();
      const inTime =
        this.abort.signal.aborted || (await within(TIMERS, answered, this.answerMs)) !== undefined;
      this.resume = undefined;
      this.open.clear();
      round.abort();
      this.abort.signal.throwIfAborted();
      if (this.refusal !== undefined) throw this.refusal;
      if (!inTime) throw unanswered(this.answerMs);
      this.onChange();
    }
    return this.responses;
  }
}

function unanswered(answerMs: number): DeskterityError {
  return new DeskterityError('TIMEOUT', `The client did not answer within ${answerMs / 1000} s.`, {
    suggestion: 'Call again to be asked again, or call in a way that needs no question.',
    delivered: false,
  });
}
