import { DeskterityError } from '../model/effects/errors.ts';
import type { OperationRecord } from '../model/tools/operation.ts';
import type { OperationRequest } from '../ports/operations.ts';
import type { OperationParts } from './operation-parts.ts';
import { Operation } from './run-operation.ts';

/** Operations that wait for their turn; more come from a client gone wild. */
const MOST_QUEUED = 1000;

export interface RunnerOptions {
  readonly parts: Omit<OperationParts, 'onChange'>;
  /** Operations that run at the same time; others wait for their turn, as `starting`. */
  readonly mostRunning: number;
  /** Called when the record of an operation whose id somebody knows is another one on the disk. */
  readonly onChange: OperationParts['onChange'];
}

interface Held {
  readonly operation: Operation;
  /** Settles when it is over. */
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

  /** Operations that are not over. */
  get count(): number {
    return this.held.size;
  }

  /** Whether an operation is here and not over. */
  has(operationId: string): boolean {
    return this.held.has(operationId);
  }

  /**
   * Resolves when it is on record and its first command runs, or when it waits for its turn.
   * @returns its record, as on the disk
   * @throws DeskterityError of whatever keeps the first command from being started; then there is no operation. RATE_LIMITED
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

  /** Resolves when it is over. @throws DeskterityError OPERATION_NOT_FOUND for one that is not here, or no more */
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

  /** Cancels all of them. Resolves when they are over. */
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
            // Nobody knows of it: whoever asked for it gets the reason instead.
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
    // Its record says why it could not be started.
    if (held !== undefined) this.begin(held).catch(() => undefined);
  }

  private forget({ operation }: Held): void {
    this.held.delete(operation.id);
    this.known.delete(operation.id);
  }
}

function tooMany(count: number): DeskterityError {
  return new DeskterityError('RATE_LIMITED', `${count} operations wait for their turn already.`, {
    suggestion: 'Wait until some are over, or cancel some.',
    retryable: true,
    delivered: false,
  });
}

function notHere(operationId: string): DeskterityError {
  return new DeskterityError('OPERATION_NOT_FOUND', `No operation ${operationId} runs here.`, {
    suggestion: 'List operations to see which there are.',
  });
}
