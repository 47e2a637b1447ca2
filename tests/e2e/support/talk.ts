import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ERROR_EXIT_CODES } from '../../../src/model/effects/errors.ts';
import type { Place } from '../harness.ts';
import { Reply } from './reply.ts';

const CODES = new Map<string, number>(Object.entries(ERROR_EXIT_CODES));
const Line = z.looseObject({ ok: z.boolean(), error: z.object({ code: z.string() }).optional() });

/** The built program, started once and given one command after the other ("desk batch"). */
export class Talk {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;
  private readonly place: Place;

  constructor(place: Place) {
    this.place = place;
    this.child = spawn(process.execPath, [place.entry, 'batch'], {
      env: { ...place.desktop.environment },
      cwd: place.folder,
    });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async say(...args: string[]): Promise<Reply> {
    const started = performance.now();
    this.child.stdin.write(`${JSON.stringify({ args })}\n`);
    const { value } = await this.lines.next();
    const stdout = z.string().parse(value);
    const { error } = Line.parse(JSON.parse(stdout));
    const exitCode = error === undefined ? 0 : (CODES.get(error.code) ?? error.code);
    const reply = new Reply({ args, exitCode, stdout, stderr: '', durationMs: performance.now() - started });
    this.place.recent.push(reply);
    return reply;
  }

  end(): void {
    this.child.stdin.end();
  }
}
