import type { ClientTasks, TaskState } from './client-tasks.ts';
import type { Unwatch } from '../connections/connection.ts';

/** The tasks of a session whose connection is replaced once: when its folder is known. Those of the first connection end with it. */
export class MovedTasks implements ClientTasks {
  private readonly current: () => ClientTasks;
  private readonly moves = new Set<() => void>();

  constructor(current: () => ClientTasks) {
    this.current = current;
  }

  get operations(): ClientTasks['operations'] {
    return this.current().operations;
  }

  get atOnceMs(): number {
    return this.current().atOnceMs;
  }

  get hasRoom(): boolean {
    return this.current().hasRoom;
  }

  readonly keep: ClientTasks['keep'] = (run, task) => this.current().keep(run, task);
  readonly named: ClientTasks['named'] = (state) => this.current().named(state);
  readonly find: ClientTasks['find'] = (taskId, account) => this.current().find(taskId, account);
  readonly list: ClientTasks['list'] = (account) => this.current().list(account);
  readonly untilOverOrAsking: ClientTasks['untilOverOrAsking'] = (taskId, account, signal) =>
    this.current().untilOverOrAsking(taskId, account, signal);
  readonly cancel: ClientTasks['cancel'] = (taskId, account) => this.current().cancel(taskId, account);
  readonly answer: ClientTasks['answer'] = (taskId, account, responses) =>
    this.current().answer(taskId, account, responses);

  /** Kept, because it is called before the connection is replaced. */
  watch(onChange: (state: TaskState) => void): Unwatch {
    let end = this.current().watch(onChange);
    const move = (): void => {
      end();
      end = this.current().watch(onChange);
    };
    this.moves.add(move);
    return () => {
      this.moves.delete(move);
      end();
    };
  }

  /** To be called when the connection has been replaced. */
  move(): void {
    for (const move of this.moves) move();
  }
}
