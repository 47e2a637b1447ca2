import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { deskOptions } from '../../scripts/build.mjs';
import { OLDEST_NODE, refusal } from '../../src/bin/node-version.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** Room for growth, but not for a library: the command line is read for every call. */
const DESK_LIMIT_BYTES = 80_000;

describe('the command line bundle', async () => {
  const { metafile, outputFiles } = await build({ ...deskOptions('dist'), write: false, metafile: true });

  it('holds nothing but bin, cli and the two files cli may use', () => {
    const foreign = Object.keys(metafile.inputs).filter(
      (input) => !/^src\/(bin|cli)\/|^src\/platform\/paths\.ts$|^src\/model\/nearest\.ts$/.test(input),
    );
    expect(foreign).toEqual([]);
  });

  it('loads the host only by name, and nothing that an old Node lacks', () => {
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    expect(imports.filter(({ external }) => external === true)).toEqual([
      { path: './host.js', kind: 'dynamic-import', external: true },
    ]);
  });

  it('is small and starts as a program', () => {
    expect(
      outputFiles.map(({ contents }) => contents.byteLength).reduce((sum, size) => sum + size, 0),
    ).toBeLessThan(DESK_LIMIT_BYTES);
    expect(outputFiles[0]?.text.split('\n')[0]).toBe('#!/usr/bin/env node');
  });
});

describe('an old Node', () => {
  it('is told so', () => {
    expect(refusal('18.20.4')).toContain(`needs Node ${OLDEST_NODE} or newer; this is 18.20.4`);
    expect(refusal('20.18.9')).toBeDefined();
  });

  it.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0-nightly'])('%s is not one', (version) => {
    expect(refusal(version)).toBeUndefined();
  });

  it('is the same as in package.json', () => {
    expect(`>=${OLDEST_NODE.replace(/\.0$/, '')}`).toBe(packageJson.engines.node);
  });
});
