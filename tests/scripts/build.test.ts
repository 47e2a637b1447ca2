import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { deskOptions, holderOptions, hostOptions, notice } from '../../scripts/build.mjs';
import { OLDEST_NODE, refusal } from '../../src/processes/bin/node-version.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** Room for growth, but not for a library: the command line is read for every call. */
const DESK_LIMIT_BYTES = 110_000;
/** There may be a holder for each project. */
const HOLDER_LIMIT_BYTES = 150_000;

describe('the command line bundle', async () => {
  const { metafile, outputFiles } = await build({ ...deskOptions('dist'), write: false, metafile: true });

  it('holds nothing but bin, cli and the files cli may use', () => {
    const foreign = Object.keys(metafile.inputs).filter(
      (input) =>
        !/^desk-part:|^src\/(processes\/bin|surfaces\/cli|wire)\/|^src\/platform\/(paths|own-terminal)\.ts$|^src\/model\/(text\/(nearest|positionals|scope-advice|character-width|text-width|untrusted-text)|configuration\/switch-words|effects\/consent-answer|audit\/entry-line|within|is-record|once|given-json|tree\/tokens\/[\w-]+)\.ts$/.test(
          input,
        ),
    );
    expect(foreign).toEqual([]);
  });

  it('loads the rest only by name, and nothing but Node beside it', () => {
    const [, main] = Object.entries(metafile.outputs).find(([name]) => name.endsWith('/desk.cjs')) ?? [];
    const outside = main?.imports.filter(({ path }) => path.startsWith('.')) ?? [];
    expect(outside.map(({ path, kind }) => `${kind} ${path}`).toSorted()).toEqual([
      'require-call ./desk-completion.cjs',
      'require-call ./desk-help.cjs',
      'require-call ./desk-input.cjs',
      'require-call ./desk-manual.cjs',
      'require-call ./desk-mcp-http.cjs',
      'require-call ./desk-start.cjs',
      'require-call ./desk-terminal.cjs',
      'require-call ./desk-verbs.cjs',
      'require-call ./host.cjs',
    ]);
    // What only a terminal needs is not read by other calls.
    expect(
      Object.keys(main?.inputs ?? {}).filter((input) => /-width|untrusted-text|tokens/.test(input)),
    ).toEqual([]);
    const packages = main?.imports.filter(({ path }) => !path.startsWith('.') && !isBuiltin(path));
    expect(packages).toEqual([]);
  });

  it('is small and starts as a program', () => {
    const main = outputFiles.find(({ path }) => path.endsWith('/desk.cjs'));
    expect(main?.contents.byteLength).toBeLessThan(DESK_LIMIT_BYTES);
    expect(main?.text.split('\n')[0]).toBe('#!/usr/bin/env node');
  });
});

describe('the host bundle', async () => {
  const { metafile, outputFiles } = await build({ ...hostOptions('dist'), write: false, metafile: true });
  const inputs = Object.keys(metafile.inputs);

  it('has of x11 what a client needs, with every extension that its door declares', () => {
    const door = readFileSync('src/platform/linux/display/x11/x11-library.ts', 'utf8');
    const [, declared = ''] = /^export interface Extensions \{\n(.*?)^\}/ms.exec(door) ?? [];
    const extensions = [...declared.matchAll(/^ {2}readonly '?([\w-]+)'?:/gm)].map(
      ([, name = '']) => `ext/${name}.js`,
    );
    expect(extensions).not.toEqual([]);
    const bundled = inputs.flatMap((input) => /\/x11\/lib\/(.+)$/.exec(input)?.[1] ?? []);
    expect(bundled.filter((file) => file.startsWith('ext/')).toSorted()).toEqual(extensions.toSorted());
    expect(bundled).toContain('xcore.js');
    expect(bundled.filter((file) => /^(?:xserver\/|keysyms)/.test(file))).toEqual([]);
  });

  it('is CommonJS that is as strict as the modules that it is made of', () => {
    const names = outputFiles.map(({ path: file }) => path.relative('dist', file));
    expect(names).toEqual(expect.arrayContaining(['daemon.cjs', 'host.cjs', 'library.cjs']));
    const others = outputFiles.filter(
      ({ path: file, text }) => !file.endsWith('.cjs') || !text.startsWith('"use strict";'),
    );
    expect(others.map(({ path: file }) => file)).toEqual([]);
  });

  it('has of zod what is used', () => {
    const parts = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
    const bytesOf = (file: string) =>
      parts.filter(([name]) => name.endsWith(`/zod/v4/core/${file}`)).map(([, part]) => part.bytesInOutput);
    expect(bytesOf('schemas.js').length).toBeGreaterThan(0);
    // At most the shell of a module without content.
    expect(Math.max(0, ...bytesOf('compile.js'))).toBeLessThan(100);
  });

  it('has a validator of the MCP library that is not AJV', () => {
    const dist = '@modelcontextprotocol/server/dist';
    expect(inputs.some((input) => input.includes(`${dist}/cfWorkerProvider`))).toBe(true);
    expect(inputs.filter((input) => input.includes(`${dist}/ajvProvider`))).toEqual([]);
  });
});

describe('the holder bundle', async () => {
  const { metafile, outputFiles } = await build({ ...holderOptions('dist'), write: false, metafile: true });

  const outputs = Object.entries(metafile.outputs);
  const loaded = (name: string): string[] => {
    const imports = metafile.outputs[name]?.imports ?? [];
    return [name, ...imports.flatMap(({ path, kind }) => (kind === 'import-statement' ? loaded(path) : []))];
  };
  const [entry = ''] = outputs.flatMap(([name]) => (name.endsWith('/holder.js') ? [name] : []));
  const first = new Set(loaded(entry));
  const inputsOf = (names: Iterable<string>) =>
    [...names].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}));

  it('is small without any package, and without what only the daemon or a terminal needs', () => {
    const sizes = [...first].map((name) => metafile.outputs[name]?.bytes ?? 0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(HOLDER_LIMIT_BYTES);
    const foreign = inputsOf(first).filter(
      (input) =>
        !/^src\/(?:processes\/(?:holder|faults\.ts)|app\/holder|wire|operations|model|ports|platform\/(?:linux|node)|platform\/[\w-]+\.ts)/.test(
          input,
        ),
    );
    expect(foreign).toEqual([]);
  });

  it('loads the screens of terminals apart, and no other package', () => {
    const rest = outputs.map(([name]) => name).filter((name) => !first.has(name));
    expect(inputsOf(rest)).toContain('src/terminal/sessions/held/held-terminals.ts');
    const packages = inputsOf(rest).filter((input) => input.includes('node_modules'));
    expect(packages.filter((input) => !input.includes('@xterm/headless'))).toEqual([]);
    const outside = outputs.flatMap(([, { imports }]) =>
      imports.flatMap(({ path }) => (isBuiltin(path) || path.startsWith('dist/') ? [] : [path])),
    );
    expect(new Set(outside)).toEqual(new Set(['koffi']));
    expect(outputFiles).toHaveLength(outputs.length);
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

describe('the notices of what is bundled', () => {
  it('have the licence of a package that is published without one', async () => {
    const text = await notice('node_modules/@xterm/headless');
    expect(text).toMatch(/^@xterm\/headless 6\.\d+\.\d+ \(MIT\)\n/);
    expect(text).toContain('Copyright (c) 2017-2019, The xterm.js authors');
    expect(text).toContain('Permission is hereby granted, free of charge');
    expect(text).toContain('Copyright (c) Microsoft Corporation');
  });

  it('are refused where there is no licence', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'deskterity-notice-'));
    try {
      writeFileSync(path.join(folder, 'package.json'), '{"name":"bare","version":"1.0.0","license":"MIT"}');
      const refused = notice(path.relative(process.cwd(), folder));
      await expect(refused).rejects.toThrow('bare is bundled but has no licence file');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
