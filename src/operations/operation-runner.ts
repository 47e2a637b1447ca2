import { DeskterityError } from '../model/effects/errors.ts';
import type { OperationRecord } from '../model/tools/operation.ts';
import type { OperationRequest } from '../ports/operations.ts';
import type { OperationParts } from './operation-parts.ts';
import { Operation } from './run-operation.ts';

/** Queued operations; a client that starts more is out of control. */
const MOST_QUEUED = 1000;

export interface RunnerOptions {
  readonly parts: Omit<OperationParts, 'onChange'>;
  /** Operations that run at the same time; others are queued as `starting`. */
  readonly mostRunning: number;
  /** Called when a record changes on disk, once its operation's id was returned to a client. */
  readonly onChange: OperationParts['onChange'];
}

interface Held {
  readonly operation: Operation;
  /** Settles when it has ended. */
  over: Promise<void> | undefined;
}

/** The operations of one holder. */
export class OperationRunner {
  private readonly parts: OperationParts;
  private readonly mostRunning: number;
  private readonly held = new Map<string, Held>();
  private readonly queue: Held[] = [];
  private readonly known = new Set<string>();
  private running = 0;

  constructor({ parts, mostRunning, onChange }: RunnerOptions) {
    this.mostRunning = mostRunning;
    this.parts = {
      ...parts,
      onChange: (record) => {
        if (this.known.has(record.operation_id)) onChange(record);
      },
    };
  }

  /** The number of operations that have not ended. */
  get count(): number {
    return this.held.size;
  }

  /** Whether an operation of this runner has not ended. */
  has(operationId: string): boolean {
    return this.held.has(operationId);
  }

  /**
   * Resolves when the operation is recorded and its first command runs, or when it is queued.
   * @returns its record, as on disk
   * @throws DeskterityError if the first command cannot be started; then there is no operation. RATE_LIMITED
   */
  async start(request: OperationRequest): Promise<OperationRecord> {
    if (this.queue.length >= MOST_QUEUED) throw tooMany(this.queue.length);
    const operation = await Operation.create(this.parts, request);
    const held: Held = { operation, over: undefined };
    this.held.set(operation.id, held);
    if (this.running >= this.mostRunning) {
      this.queue.push(held);
      this.known.add(operation.id);
      return operation.record;
    }
    return this.begin(held);
  }

  /** Resolves when it has ended. @throws DeskterityError OPERATION_NOT_FOUND if it is not running here */
  async cancel(operationId: string): Promise<void> {
    const held = this.held.get(operationId);
    if (held === undefined) throw notHere(operationId);
    held.operation.interrupt('cancelled');
    const waiting = this.queue.indexOf(held);
    if (waiting !== -1) {
      this.queue.splice(waiting, 1);
      held.over = held.operation.skip().finally(() => this.forget(held));
    }
    await held.over?.catch(() => undefined);
  }

  /** Cancels all operations. Resolves when they have ended. */
  async cancelAll(): Promise<void> {
    await Promise.all([...this.held.keys()].map((id) => this.cancel(id).catch(() => undefined)));
  }

  private begin(held: Held): Promise<OperationRecord> {
    const { operation } = held;
    this.running += 1;
    return new Promise((resolve, reject) => {
      const run = operation.run(() => {
        this.known.add(operation.id);
        resolve(operation.record);
      });
      held.over = run
        .then(
          () => resolve(operation.record),
          async (error: unknown) => {
            // No client knows its id: the caller receives the error instead.
            if (!this.known.has(operation.id)) await operation.discard();
            reject(error);
          },
        )
        .finally(() => {
          this.running -= 1;
          this.forget(held);
          this.next();
        });
    });
  }

  private next(): void {
    const held = this.queue.shift();
    // Its record contains the error.
    if (held !== undefined) this.begin(held).catch(() => undefined);
  }

  private forget({ operation }: Held): void {
    this.held.delete(operation.id);
    this.known.delete(operation.id);
  }
}

function tooMany(count: number): DeskterityError {
  return new DeskterityError('RATE_LIMITED', `${count} operations are already queued.`, {
    suggestion: 'Wait until some end, or cancel some.',
    retryable: true,
    delivered: false,
  });
}

function notHere(operationId: string): DeskterityError {
  return new DeskterityError('OPERATION_NOT_FOUND', `Operation ${operationId} is not running here.`, {
    suggestion: 'List operations to see the existing ones.',
  });
}
