/**
 * Which folder of src/ may import which (docs/architecture.md). A room is named by its path prefix; the longest prefix wins.
 * `imports`: prefixes, or single files, that it may import in addition to itself. `packages`: npm packages it may import.
 * `builtins`: the only Node modules it may import; if absent, all of them.
 */
const UNDER_PLATFORM = { imports: ['model/', 'ports/', 'platform/node/'], packages: ['zod'] };

export const ROOMS = {
  'model/': { imports: [], packages: ['zod'], builtins: [] },
  'ports/': { imports: ['model/'], packages: [], builtins: [] },
  'platform/paths.ts': { imports: [], packages: [] },
  'platform/own-terminal.ts': { imports: [], packages: [] },
  'platform/select.ts': { imports: ['model/', 'ports/', 'platform/'], packages: [] },
  'platform/node/': { imports: ['model/', 'ports/', 'platform/paths.ts'], packages: [] },
  'platform/linux/': { ...UNDER_PLATFORM, imports: [...UNDER_PLATFORM.imports, 'platform/paths.ts'] },
  'platform/macos/': UNDER_PLATFORM,
  'platform/windows/': UNDER_PLATFORM,
  'image/': { imports: ['model/'], packages: [] },
  'wire/': { imports: ['model/'], packages: [] },
  // The format of the audit log and its chain of hashes; files are behind the port.
  'audit/': { imports: ['model/', 'ports/'], packages: [], builtins: ['node:crypto'] },
  // What calls may do, on which applications. The rules of a call accompany it through promises.
  'policy/': { imports: ['model/', 'ports/', 'image/'], packages: ['zod'], builtins: ['node:async_hooks'] },
  'engine/': { imports: ['model/', 'ports/', 'image/'], packages: [] },
  'operations/': { imports: ['model/', 'ports/', 'wire/'], packages: [] },
  'terminal/': { imports: ['model/', 'ports/', 'wire/', 'operations/'], packages: [] },
  'toolfiles/': {
    imports: ['model/', 'ports/', 'wire/', 'operations/', 'registry/define.ts'],
    packages: ['zod'],
  },
  // Other MCP servers are trusted as tool files are.
  'upstream/': {
    imports: ['model/', 'ports/', 'registry/define.ts', 'toolfiles/files/trust.ts'],
    packages: ['zod'],
  },
  'sessions/': { imports: ['model/', 'ports/', 'engine/', 'image/'], packages: ['zod'] },
  'registry/': { imports: ['model/', 'ports/', 'policy/', 'engine/', 'image/'], packages: ['zod'] },
  'commands/': { imports: ['model/', 'registry/define.ts'], packages: ['zod'], builtins: ['node:path'] },
  'app/': {
    imports: [
      'model/',
      'ports/',
      'platform/select.ts',
      'platform/paths.ts',
      'image/',
      'wire/',
      'audit/',
      'policy/',
      'engine/',
      'operations/',
      'terminal/',
      'toolfiles/',
      'upstream/',
      'sessions/',
      'registry/',
      'commands/',
    ],
    packages: ['zod'],
  },
  'surfaces/mcp/': { imports: ['app/', 'model/'], packages: ['zod'] },
  'surfaces/library/': { imports: ['app/', 'model/'], packages: ['zod'] },
  // It is loaded for every command: no package, and no part of the program except the wire and the model.
  'surfaces/cli/': {
    imports: ['wire/', 'model/', 'platform/paths.ts', 'platform/own-terminal.ts'],
    packages: [],
  },
  'processes/': {
    imports: ['app/', 'surfaces/', 'model/', 'ports/', 'wire/', 'platform/select.ts', 'platform/paths.ts'],
    packages: [],
  },
};

/** npm packages that only a single file may import, so that they can be replaced. */
export const PACKAGE_IMPORTERS = {
  x11: 'platform/linux/display/x11/x11-library.ts',
  koffi: 'platform/linux/sandbox/libc-library.ts',
  'jpeg-js': 'image/jpeg.ts',
  sharp: 'image/webp.ts',
  '@modelcontextprotocol/client': 'upstream/sdk.ts',
  '@modelcontextprotocol/server': 'surfaces/mcp/sdk.ts',
  '@modelcontextprotocol/server-legacy': 'surfaces/mcp/legacy-sse-library.ts',
  jose: 'surfaces/mcp/http/oauth/jose-library.ts',
  'smol-toml': 'platform/node/documents/toml-library.ts',
  'jsonc-parser': 'platform/node/documents/jsonc-library.ts',
  '@xterm/headless': 'terminal/screen/xterm-library.ts',
};

/** Folders for the same purpose on different systems: neither may import the other. What both use lies beside them. */
export const APART = [['platform/linux/display/x11/', 'platform/linux/display/wayland/']];

/** The most files among which a newcomer finds the right one; a folder with more should be divided. */
export const MOST_FILES_IN_A_FOLDER = 25;
