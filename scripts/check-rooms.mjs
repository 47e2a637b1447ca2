/**
 * Enforces the table of rooms in docs (DESIGN §2): which folder of src/ may import which, where npm packages come in, where the platform may be
 * asked for. Lists every violation; exit code 1 when there is one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Room by path prefix, the longest prefix wins. `imports`: prefixes (or single files) it may import beside itself. `packages`: npm packages it
 * may import. `builtins: false`: no Node modules except those listed.
 */
export const ROOMS = {
  'model/': { imports: [], packages: ['zod'], builtins: [] },
  'ports/': { imports: ['model/'], packages: [], builtins: [] },
  'platform/paths.ts': { imports: [], packages: [] },
  'platform/is-alive.ts': { imports: [], packages: [] },
  'platform/unix-socket.ts': { imports: [], packages: [] },
  'platform/select.ts': { imports: ['model/', 'ports/', 'platform/'], packages: [] },
  'platform/node/': {
    imports: ['model/', 'ports/', 'platform/paths.ts', 'platform/is-alive.ts'],
    packages: [],
  },
  // An edge: what files and the system hand us is parsed there (ADR 0010).
  'platform/linux/': {
    imports: ['model/', 'ports/', 'platform/node/', 'platform/paths.ts', 'platform/is-alive.ts'],
    packages: ['zod'],
  },
  'platform/macos/': { imports: ['model/', 'ports/', 'platform/node/', 'platform/paths.ts'], packages: [] },
  'platform/windows/': { imports: ['model/', 'ports/', 'platform/node/', 'platform/paths.ts'], packages: [] },
  'platform/simulated/': {
    imports: ['model/', 'ports/', 'platform/node/', 'platform/paths.ts'],
    packages: [],
  },
  'image/': { imports: ['model/'], packages: [] },
  'engine/': { imports: ['model/', 'ports/', 'image/'], packages: [] },
  'operations/': { imports: ['model/', 'ports/'], packages: [] },
  // The output store and the links to holders are those of operations (ADR 0021).
  'terminal/': { imports: ['model/', 'ports/', 'operations/'], packages: [] },
  'policy/': { imports: ['model/', 'ports/'], packages: [] },
  'registry/': { imports: ['model/', 'ports/', 'engine/', 'policy/', 'image/'], packages: ['zod'] },
  'commands/': { imports: ['model/', 'registry/define.ts'], packages: ['zod'], builtins: ['node:path'] },
  'toolfiles/': { imports: ['model/', 'ports/', 'registry/define.ts'], packages: ['zod'] },
  'trace/': { imports: ['model/', 'ports/', 'registry/define.ts'], packages: ['zod'] },
  'host/': {
    imports: [
      'model/',
      'ports/',
      'platform/',
      'image/',
      'engine/',
      'operations/',
      'terminal/',
      'policy/',
      'registry/',
      'commands/',
      'toolfiles/',
      'trace/',
    ],
    packages: ['zod'],
  },
  'holder/': { imports: ['model/', 'ports/', 'platform/', 'operations/', 'terminal/'], packages: [] },
  'mcp/': { imports: ['host/', 'model/'], packages: ['zod'] },
  'library/': { imports: ['host/', 'model/'], packages: ['zod'] },
  'daemon/': {
    imports: ['host/', 'model/', 'ports/', 'mcp/', 'platform/is-alive.ts', 'platform/unix-socket.ts'],
    packages: [],
  },
  // The process itself: it has to know where it listens and that it is the only one, before there is a host (ADR 0011).
  'daemon/main.ts': {
    imports: ['daemon/', 'host/', 'model/', 'mcp/', 'platform/paths.ts', 'platform/node/file-lock.ts'],
    packages: [],
  },
  // nearest.ts imports nothing: one spelling helper for command line, registry and adapters (ADR 0010).
  'cli/': {
    imports: ['daemon/wire.ts', 'platform/paths.ts', 'platform/is-alive.ts', 'model/nearest.ts'],
    packages: [],
  },
  'bin/': { imports: ['cli/', 'daemon/', 'holder/', 'mcp/', 'host/'], packages: [] },
};

/** npm packages that come in through single files, so that they can be swapped. */
export const DOORS = {
  x11: 'platform/linux/x11/x11-library.ts',
  koffi: 'platform/linux/sandbox/libc-library.ts',
  'jpeg-js': 'image/jpeg-library.ts',
  sharp: 'image/sharp-library.ts',
  '@modelcontextprotocol/server': 'mcp/sdk.ts',
  '@modelcontextprotocol/server-legacy': 'mcp/legacy-sse-library.ts',
  'smol-toml': 'platform/node/toml-library.ts',
  'jsonc-parser': 'platform/node/jsonc-library.ts',
  '@xterm/headless': 'terminal/xterm-library.ts',
};

/** Only adapters may ask what they run on. */
const PLATFORM_QUESTION =
  /\bprocess\.platform\b|\bos\.platform\(|import\s*\{[^}]*\bplatform\b[^}]*\}\s*from\s*'node:os'/;

const IMPORT =
  /(?:^|[;}\s])(?:import|export)\s+(?:type\s+)?(?:[\w$*{][^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** All violations in a set of files, given as path below src/ and text. */
export function violations(files) {
  const found = [];
  const roomEdges = new Map();
  for (const [file, text] of files) {
    const code = withoutComments(text);
    const room = roomOf(file);
    if (room === undefined) {
      found.push(`${file}: no room of this name is in the table`);
      continue;
    }
    for (const specifier of importsOf(code)) {
      const problem = problemWith(file, room, specifier);
      if (problem !== undefined) found.push(`${file}: ${problem}`);
      const target = specifier.startsWith('.') ? roomOf(resolve(file, specifier)) : undefined;
      if (target !== undefined) addEdge(roomEdges, topRoom(room), topRoom(target));
    }
    if (!file.startsWith('platform/') && PLATFORM_QUESTION.test(code))
      found.push(`${file}: asks for the platform; only src/platform may`);
  }
  return [...found, ...cycles(roomEdges)];
}

function problemWith(file, room, specifier) {
  const rule = ROOMS[room];
  if (specifier.startsWith('node:')) {
    return rule.builtins === undefined || rule.builtins.includes(specifier)
      ? undefined
      : `imports ${specifier}, but ${room} does no I/O`;
  }
  if (!specifier.startsWith('.')) {
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    if (DOORS[name] !== undefined)
      return DOORS[name] === file
        ? undefined
        : `imports ${name}, which comes in through src/${DOORS[name]} only`;
    return rule.packages.includes(name) ? undefined : `imports the package ${name}`;
  }
  const target = resolve(file, specifier);
  if (target.startsWith('..')) return `imports ${specifier}, which is outside src`;
  if (roomOf(target) === room) return undefined;
  return rule.imports.some(
    (allowed) => target === allowed || (allowed.endsWith('/') && target.startsWith(allowed)),
  )
    ? undefined
    : `imports ${target}; ${room} may import ${rule.imports.join(', ') || 'nothing'}`;
}

function importsOf(code) {
  return [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2]);
}

/** Good enough for finding imports: text in quotes or templates is only a problem where it looks like one. */
function withoutComments(text) {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

function resolve(file, specifier) {
  return path.posix.join(path.posix.dirname(file), specifier);
}

function roomOf(file) {
  const rooms = Object.keys(ROOMS).filter(
    (room) => file === room || (room.endsWith('/') && file.startsWith(room)),
  );
  return rooms.toSorted((a, b) => b.length - a.length)[0];
}

/** The folder of the table a room belongs to: platform is one room with parts. */
function topRoom(room) {
  return `${room.split('/')[0]}/`;
}

function addEdge(edges, from, to) {
  if (from === to) return;
  edges.set(from, (edges.get(from) ?? new Set()).add(to));
}

function cycles(edges) {
  const found = [];
  const done = new Set();
  const walk = (room, trail) => {
    if (trail.includes(room)) {
      found.push(`rooms import each other: ${[...trail.slice(trail.indexOf(room)), room].join(' → ')}`);
      return;
    }
    if (done.has(room)) return;
    for (const next of edges.get(room) ?? []) walk(next, [...trail, room]);
    done.add(room);
  };
  for (const room of edges.keys()) walk(room, []);
  return found;
}

function sourceFiles(root) {
  const source = path.join(root, 'src');
  return readdirSync(source, { recursive: true })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => [name, readFileSync(path.join(source, name), 'utf8')]);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(path.resolve(process.argv[1])).href) {
  const files = sourceFiles(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
  const found = violations(files);
  for (const violation of found) console.error(`src/${violation}`);
  console.log(
    `rooms: ${files.length} files, ${found.length} ${found.length === 1 ? 'violation' : 'violations'}`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}
