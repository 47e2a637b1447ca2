import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';

const ANSWER_MS = 30_000;

/** A program that answers each line with one line. */
export class Lines {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly reader: Interface;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    this.reader = createInterface({ input: child.stdout });
    child.stderr.resume();
    child.stdin.on('error', () => undefined);
  }

  ask(line: string): Promise<string> {
    const answer = this.turn.then(() => this.exchange(line));
    this.turn = answer.catch(() => undefined);
    return answer;
  }

  end(): void {
    this.child.kill('SIGTERM');
  }

  private exchange(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${line.slice(0, 100)}`)), ANSWER_MS);
      this.reader.once('line', (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.child.stdin.write(`${line}\n`);
    });
  }
}
