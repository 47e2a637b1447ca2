/** esbuild plugins that remove unused parts of npm packages, because a daemon compiles everything it loads when it starts. */
import { readFile } from 'node:fs/promises';

/** zod contains its messages in fifty languages, half of the bundle; we write our own. */
export const zodInEnglish = {
  name: 'zod-in-english',
  setup: (context) => {
    context.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** The import `{ z }` keeps the whole package in the bundle, although half of zod is unused. */
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
  'render',
  'res',
  'screen-saver',
  'shm',
  'xinerama',
  'xinput',
  'xkb',
  'xtest',
];

/** Two thirds of x11 are a server, a table of all keys and a dozen more extensions, which it loads only on request. */
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
      contents: `throw new Error(${JSON.stringify(`${path} of x11 is not in the bundle.`)});`,
    }));
  },
};

/** The protocol library validates user input and outputs of tools with AJV; we do neither, and its other validator has a tenth of the size. */
export const mcpWithoutAjv = {
  name: 'mcp-without-ajv',
  setup: (context) => {
    context.onLoad(
      { filter: /@modelcontextprotocol\/(?:client|server)\/dist\/shimsNode\.mjs$/ },
      ({ path }) => {
        const side = path.includes('/client/') ? 'client' : 'server';
        return {
          contents: `
          export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/${side}/validators/cf-worker';
          export { default as process } from 'node:process';
          export const CORS_IS_POSSIBLE = false;
        `,
        };
      },
    );
  },
};
