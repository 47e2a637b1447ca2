import type { StartedProcess } from '../../ports/process.ts';
import type { OutputStore } from './output-store.ts';

/** What carries the output of one process to the disk. */
export interface Pump {
  /** Everything is stored, or lost with a reason in the store. Never rejects. */
  readonly drained: Promise<void>;
  /** Bytes have come since the last time this was asked. */
  hasMoved(): boolean;
  /** Reads no more. */
  stop(): void;
}

/** Stores what a process writes, no faster than the disk takes it: a program that writes more has to wait. */
export function pumpOutput({ streams }: Pick<StartedProcess, 'streams'>, store: OutputStore): Pump {
  let moved = false;
  const pump = async ({ name, readable }: StartedProcess['streams'][number]) => {
    try {
      for await (const bytes of readable) {
        moved = true;
        await store.write(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      }
    } catch {
      // Stopped, or a pipe that broke: what came until then is stored.
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
