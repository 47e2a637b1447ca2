import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../../../../model/parse-json.ts';
import { clip, reveal } from '../../../../../model/text/untrusted-text.ts';
import type { StopState } from '../../../../../ports/input.ts';
import { watchFolder } from '../../../../node/watch-folder.ts';

const LONGEST_NAME = 80;
const Content = z.object({
  since: z.iso.datetime().optional(),
  by: z.string().optional(),
  takeover: z.literal(true).optional(),
});

/** Whether acting is stopped on a display: a file beside its socket, which all our processes watch. */
export class StopFile {
  readonly #path: string;

  constructor(file: string) {
    this.#path = file;
  }

  read(): StopState {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch {
      return { stopped: false };
    }
    // If the file exists, acting is stopped; neither its content nor its writer matters.
    const content = Content.safeParse(parseJson(text));
    const { since, by, takeover } = content.success ? content.data : {};
    return {
      stopped: true,
      ...(since === undefined ? {} : { since }),
      ...(by === undefined ? {} : { by: reveal(clip(by, LONGEST_NAME)) }),
      ...(takeover === undefined ? {} : { takeover }),
    };
  }

  write(by: string, { isTakeover }: { readonly isTakeover: boolean } = { isTakeover: false }): void {
    const content = { since: new Date().toISOString(), by, ...(isTakeover ? { takeover: true } : {}) };
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
    renameSync(draft, this.#path);
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }

  /** Calls `listener` when it may have changed, until the returned function is called. */
  watch(listener: () => void): () => void {
    return watchFolder(path.dirname(this.#path), listener);
  }
}
