import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { WidgetKey } from '../twins/act/widgets.ts';
import { Seen } from '../twins/look/tree.ts';
import type { Look } from './compare.ts';
import { Listing } from './listed.ts';

/** An area that a mouse wheel has scrolled. */
const Scrolled = z.object({ area: WidgetKey, to: z.enum(['some pages on', 'its end', 'its start']) });
export type Scrolled = z.output<typeof Scrolled>;

/** What was read at one place of an application: everything that is needed to judge it again. */
const Kept = z.object({
  steps: z.array(WidgetKey),
  /** What was scrolled there, and how far. */
  scrolled: Scrolled.optional(),
  /** Why the place was not reached, or could not be read. */
  failed: z.string().optional(),
  /** What shows there, from which further places are drawn. */
  shown: Seen.optional(),
  look: z
    .object({
      before: Seen,
      after: Seen,
      listing: Listing,
      frame: z.object({ width: z.int(), height: z.int(), pixels: z.string() }),
    })
    .optional(),
});

export interface Place {
  readonly steps: readonly WidgetKey[];
  readonly scrolled?: Scrolled | undefined;
  readonly failed?: string | undefined;
  readonly shown?: Seen | undefined;
  readonly look?: Look | undefined;
}

/** The places read so far, a file each, so that a run can be continued and judged again. */
export class Records {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  add(place: Place): void {
    mkdirSync(this.folder, { recursive: true });
    const { look, ...rest } = place;
    const kept = look && { ...look, frame: { ...look.frame, pixels: encode(look.frame.pixels) } };
    const number = String(this.files().length).padStart(2, '0');
    writeFileSync(join(this.folder, `${number}.json.gz`), gzipSync(JSON.stringify({ ...rest, look: kept })));
  }

  read(): Place[] {
    return this.files().map((file) => {
      const text = gunzipSync(readFileSync(join(this.folder, file))).toString();
      const { look, ...rest } = Kept.parse(JSON.parse(text));
      if (look === undefined) return rest;
      return { ...rest, look: { ...look, frame: { ...look.frame, pixels: decode(look.frame.pixels) } } };
    });
  }

  private files(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder).toSorted() : [];
  }
}

function encode({ buffer, byteOffset, byteLength }: Uint32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function decode(text: string): Uint32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Uint32Array(bytes.buffer);
}
