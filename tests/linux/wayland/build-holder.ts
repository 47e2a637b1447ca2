import { mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Builds `holder.ts`, in a folder that the caller removes. */
export async function buildHolder(): Promise<{ readonly file: string; readonly folder: string }> {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  // Beside the packages that it imports.
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, '.cache', 'holder-'));
  const file = path.join(folder, 'holder.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./holder.ts', import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    packages: 'external',
  });
  return { file, folder };
}
