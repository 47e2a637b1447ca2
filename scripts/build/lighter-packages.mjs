/** Esbuild plugins that leave out of npm packages what we do not use: a daemon that is started compiles all that is loaded. */
import { readFile } from 'node:fs/promises';

/** zod carries its messages in fifty languages, half of the bundle; we write our own. */
export const zodInEnglish = {
  name: 'zod-in-english',
  setup: (context) => {
    context.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** A name that stands for all of a package keeps all of it in the bundle; half of zod is not used. */
export const zodByParts = {
  name: 'zod-by-parts',
  setup: (context) => {
    context.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace("import { z } from 'zod'", "import * as z from 'zod'"),
      loader: 'ts',
    }));
  },
};

/** Extensions of the X protocol that `src/platform/linux/display/x11/x11-library.ts` declares. */
const X11_EXTENSIONS = [
  'composite',
  'damage',
  'fixes',
  'screen-saver',
  'shm',
  'xinerama',
  'xinput',
  'xkb',
  'xtest',
];

/** x11 also has a server, a table of all keys and a dozen more extensions: two thirds of it, which it requires only when asked for them. */
export const x11ForClients = {
  name: 'x11-for-clients',
  setup: (context) => {
    context.onResolve(
      { filter: /^\.\/(?:xserver|keysyms|gcfunction|ext\/[a-z\d-]+)$/ },
      ({ path, importer }) => {
        const isUsed = X11_EXTENSIONS.some((name) => path === `./ext/${name}`);
        return isUsed || !/\/x11\/lib\/[a-z]+\.js$/.test(importer)
          ? undefined
          : { path, namespace: 'left-out-of-x11' };
      },
    );
    context.onLoad({ filter: /./, namespace: 'left-out-of-x11' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} of x11 is left out of the bundle.`)});`,
    }));
  },
};

/** The protocol library checks what users are asked with AJV, which we never do; its other validator is a tenth of that. */
export const mcpWithoutAjv = {
  name: 'mcp-without-ajv',
  setup: (context) => {
    context.onLoad({ filter: /@modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/ }, () => ({
      contents: `
        export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
        export { default as process } from 'node:process';
      `,
    }));
  },
};
