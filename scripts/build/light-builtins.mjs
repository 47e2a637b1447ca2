/**
 * An esbuild plugin: takes Node's own modules from `process`. For an `import` of one, Node makes another module around it and reads every export, and
 * some of these load more code (`fs.ReadStream`): five milliseconds for the ten that we import.
 */
import { createRequire, isBuiltin } from 'node:module';

const load = createRequire(import.meta.url);

export const lightBuiltins = {
  name: 'light-builtins',
  setup: (context) => {
    context.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace: 'light-builtins' } : undefined,
    );
    context.onLoad({ filter: /./, namespace: 'light-builtins' }, ({ path }) => ({
      contents: [
        `const builtin = process.getBuiltinModule('${path}');`,
        'export default builtin;',
        // Marked as pure, so that only what is imported is read: later versions of Node warn about some of the others.
        ...plainExports(load(path)).map(
          (name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`,
        ),
      ].join('\n'),
    }));
  },
};

/** The names of its exports. One that runs code when it is read can only be read from the default export, where it is used: `net.BlockList`. */
function plainExports(builtin) {
  return Object.keys(builtin).filter(
    (name) =>
      Object.getOwnPropertyDescriptor(builtin, name).get === undefined &&
      name !== 'default' &&
      /^[A-Za-z]\w*$/.test(name),
  );
}
