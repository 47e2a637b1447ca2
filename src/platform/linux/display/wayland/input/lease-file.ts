import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { errorCode } from '../../../../../model/error-code.ts';
import { parseJson } from '../../../../../model/parse-json.ts';
import { clip, reveal } from '../../../../../model/text/untrusted-text.ts';
import { processStartTime } from '../../../process/facts.ts';
import type { HolderName } from '../../lease-errors.ts';

const LONGEST_NAME = 80;

const Holder = z.object({ holder: z.string(), pid: z.int().positive(), started: z.string() });

/**
 * The lock for acting on a display: a file beside its socket, because a compositor has nothing that clients can own. One whose process has ended is
 * taken over.
 */
export class LeaseFile {
  readonly #path: string;
  #mine: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes the lock, or returns its current holder. */
  tryTake(holder: string): HolderName | undefined {
    const started = processStartTime(process.pid) ?? '';
    const mine = JSON.stringify({ holder, pid: process.pid, started, id: randomBytes(4).toString('hex') });
    const draft = `${this.#path}.${process.pid}-${randomBytes(4).toString('hex')}`;
    writeFileSync(draft, mine, { flag: 'wx', mode: 0o600 });
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        try {
          // Linked into place whole, so that nobody reads a lock without its holder.
          linkSync(draft, this.#path);
          this.#mine = mine;
          return undefined;
        } catch (error) {
          if (errorCode(error) !== 'EEXIST') throw error;
        }
        const found = this.#read();
        if (found === undefined) continue;
        const live = liveHolder(found);
        if (live !== undefined) return live;
        this.#remove(found);
      }
      return {};
    } finally {
      rmSync(draft, { force: true });
    }
  }

  release(): void {
    const mine = this.#mine;
    this.#mine = undefined;
    if (mine !== undefined && this.#read() === mine) rmSync(this.#path, { force: true });
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch {
      return undefined;
    }
  }

  /** Another process may have taken it over meanwhile: then what was moved away is put back. */
  #remove(abandoned: string): void {
    const aside = `${this.#path}.${process.pid}-aside`;
    try {
      renameSync(this.#path, aside);
      if (readFileSync(aside, 'utf8') !== abandoned) linkSync(aside, this.#path);
    } catch {
      // Another process was faster.
    } finally {
      rmSync(aside, { force: true });
    }
  }
}

/** Any program may write the file; what is no lock of a running process counts as none. */
function liveHolder(text: string): HolderName | undefined {
  const parsed = Holder.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { holder, pid, started } = parsed.data;
  if (processStartTime(pid) !== started) return undefined;
  return { holder: reveal(clip(holder, LONGEST_NAME)), ...(pid === process.pid ? {} : { pid }) };
}
