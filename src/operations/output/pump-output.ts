import type { StartedProcess } from '../../ports/process.ts';
import type { OutputStore } from './output-store.ts';

/** Transfers the output of one process to disk. */
export interface Pump {
  /** Resolves when everything is stored, or lost with a reason in the store. Never rejects. */
  readonly drained: Promise<void>;
  /** Whether bytes were received since the last call. */
  hasMoved(): boolean;
  /** Stops reading. */
  stop(): void;
}

/** Stores the output of a process at the speed of the disk: a faster program has to wait. */
export function pumpOutput({ streams }: Pick<StartedProcess, 'streams'>, store: OutputStore): Pump {
  let moved = false;
  const pump = async ({ name, readable }: StartedProcess['streams'][number]) => {
    try {
      for await (const bytes of readable) {
        moved = true;
        await store.write(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      }
    } catch {
      // Stopped, or the pipe broke: everything received before is stored.
    }
  };
  return {
    drained: Promise.all(streams.map(pump)).then(() => undefined),
    hasMoved: () => {
      const result = moved;
      moved = false;
      return result;
    },
    stop: () => {
      for (const { readable } of streams) readable.destroy();
    },
  };
}
