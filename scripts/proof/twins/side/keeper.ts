import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const Answer = z.looseObject({ id: z.number() });
const Ran = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });
const Started = z.object({ pid: z.number(), error: z.string().optional() });
const Alive = z.object({ alive: z.boolean() });

/** What a program printed, and its exit code: -1 if it was ended at its time limit. */
export type Ran = z.output<typeof Ran>;

/** A program may use its whole time; the answer comes a little later. */
const ANSWER_MS = 3000;

/** The connection to `keeper.py`, which runs programs inside a side. */
export class Keeper {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<
    number,
    { resolve: (answer: unknown) => void; reject: (error: Error) => void }
  >();
  private readonly ended: Promise<void>;
  private lastId = 0;
  private errors = '';

  constructor(program: string, args: readonly string[]) {
    this.child = spawn(program, args, { stdio: 'pipe', env: { PATH: process.env['PATH'] } });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.child.stdin.on('error', () => undefined);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const answer = Answer.parse(JSON.parse(line));
      this.waiting.get(answer.id)?.resolve(answer);
      this.waiting.delete(answer.id);
    });
    this.ended = new Promise((resolve) => {
      const end = (why: string): void => {
        for (const { reject } of this.waiting.values())
          reject(new Error(`The side has ended: ${why} ${this.errors}`));
        this.waiting.clear();
        resolve();
      };
      this.child.once('error', (error) => end(error.message));
      this.child.once('close', (code) => end(`exit code ${code}.`));
    });
  }

  /** Runs a program to its end, or to its time limit. */
  async run(argv: readonly string[], timeoutMs: number): Promise<Ran> {
    return Ran.parse(await this.ask({ op: 'run', argv, timeoutMs }, timeoutMs + ANSWER_MS));
  }

  /** Runs a Python script to its end, or to its time limit, with libatspi loaded beforehand. */
  async script(argv: readonly string[], timeoutMs: number): Promise<Ran> {
    return Ran.parse(await this.ask({ op: 'script', argv, timeoutMs }, timeoutMs + ANSWER_MS));
  }

  /** Starts a program that stays, with its output in the file `log` of the side's runtime folder. */
  async start(argv: readonly string[], log: string): Promise<number> {
    const { pid, error } = Started.parse(await this.ask({ op: 'start', argv, log }, ANSWER_MS));
    if (error !== undefined) throw new Error(error);
    return pid;
  }

  async isAlive(pid: number): Promise<boolean> {
    return Alive.parse(await this.ask({ op: 'alive', pid }, ANSWER_MS)).alive;
  }

  /** Ends the side: its namespaces, and so all of its processes, end with the first one. */
  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async ask(request: object, deadlineMs: number): Promise<unknown> {
    const id = ++this.lastId;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`The side did not answer within ${deadlineMs} ms: ${JSON.stringify(request)}`));
      }, deadlineMs);
      timer.unref();
    });
    if (this.child.exitCode !== null) throw new Error(`The side has ended. ${this.errors}`);
    this.child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
    return answer;
  }
}
