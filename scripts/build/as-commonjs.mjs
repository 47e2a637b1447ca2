/**
 * An esbuild plugin: writes CommonJS although esbuild shares chunks only between ES modules. V8 can keep what it compiled of CommonJS on disk
 * (`compiled-code.mjs`), and Node starts it faster.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

export const asCommonJs = {
  name: 'as-commonjs',
  setup: (context) => {
    const { initialOptions, esbuild } = context;
    const isWritten = initialOptions.write !== false;
    initialOptions.write = false;
    initialOptions.outExtension = { '.js': '.cjs' };
    context.onEnd(async ({ outputFiles = [] }) => {
      await Promise.all(outputFiles.map((file) => convert(esbuild, file)));
      if (isWritten) await Promise.all(outputFiles.map((file) => write(file)));
    });
  },
};

async function convert(esbuild, file) {
  const { code } = await esbuild.transform(file.text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    // As in an ES module.
    banner: '"use strict";',
    minifyWhitespace: true,
    minifySyntax: true,
    define: { 'import.meta.dirname': '__dirname' },
    // Written as `require`, which is not slower and needs no callback of `vm.Script`.
    supported: { 'dynamic-import': false },
  });
  file.contents = Buffer.from(code);
}

async function write(file) {
  await mkdir(path.dirname(file.path), { recursive: true });
  await writeFile(file.path, file.contents);
}
