/**
 * Enforces the table of rooms (docs/architecture.md): which folder of src/ may import which, which file imports an npm package, no import cycles, no
 * platform term outside src/platform, no folder with too many files. Prints every violation; exit code 1 if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { helpIfAsked } from './lib/arguments.mjs';
import { cycles } from './rooms/cycles.mjs';
import { platformWords } from './rooms/platform-words.mjs';
import { APART, PACKAGE_IMPORTERS, MOST_FILES_IN_A_FOLDER, ROOMS } from './rooms/table.mjs';

/** Only adapters may check which platform they run on. */
const PLATFORM_QUESTION =
  /\bprocess\.platform\b|\bos\.platform\(|import\s*\{[^}]*\bplatform\b[^}]*\}\s*from\s*'node:os'/;

const IMPORT =
  /(?:^|[;}\s])(?:import|export)\s+(?:type\s+)?(?:[\w$*{][^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** All violations in a set of files, given as path below src/ and text. */
export function violations(files) {
  const found = [];
  const fileEdges = new Map();
  const roomEdges = new Map();
  const folders = new Map();
  for (const [file, text] of files) {
    const code = withoutComments(text);
    const room = roomOf(file);
    if (room === undefined) {
      found.push(`${file}: its room is not in the table`);
      continue;
    }
    const isGenerated = file.includes('.generated.');
    if (!isGenerated) addTo(folders, path.posix.dirname(file), file);
    for (const specifier of importsOf(code)) {
      const problem = problemWith(file, room, specifier);
      if (problem !== undefined) found.push(`${file}: ${problem}`);
      if (!specifier.startsWith('.')) continue;
      const target = resolve(file, specifier);
      addTo(fileEdges, file, target);
      const other = roomOf(target);
      if (other !== undefined && topRoom(other) !== topRoom(room))
        addTo(roomEdges, topRoom(room), topRoom(other));
    }
    if (file.startsWith('platform/')) continue;
    if (PLATFORM_QUESTION.test(code)) found.push(`${file}: checks the platform; only src/platform may`);
    if (isGenerated) continue;
    const words = new Set(platformWords(text).map(({ word }) => word.toLowerCase()));
    for (const word of [...words].toSorted((a, b) => (a < b ? -1 : 1)))
      found.push(`${file}: contains "${word}"; only src/platform may use platform terms`);
  }
  for (const [folder, members] of folders) {
    if (members.size > MOST_FILES_IN_A_FOLDER)
      found.push(
        `${folder}/: has ${members.size} files; with more than ${MOST_FILES_IN_A_FOLDER}, divide it into folders`,
      );
  }
  for (const members of cycles(fileEdges)) {
    for (const member of members) found.push(`${member}: is in an import cycle (${members.join(', ')})`);
  }
  for (const members of cycles(roomEdges)) found.push(`rooms import each other: ${members.join(', ')}`);
  return [...new Set(found)];
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
    if (PACKAGE_IMPORTERS[name] !== undefined)
      return PACKAGE_IMPORTERS[name] === file
        ? undefined
        : `imports ${name}, which only src/${PACKAGE_IMPORTERS[name]} may`;
    return rule.packages.includes(name) ? undefined : `imports the package ${name}`;
  }
  const target = resolve(file, specifier);
  if (target.startsWith('..')) return `imports ${specifier}, which is outside src`;
  if (APART.some((folders) => isAcross(folders, file, target)))
    return `imports ${target}, which is of another system; move what both use to where both may use it`;
  if (roomOf(target) === room) return undefined;
  return rule.imports.some(
    (allowed) => target === allowed || (allowed.endsWith('/') && target.startsWith(allowed)),
  )
    ? undefined
    : `imports ${target}; ${room} may import ${rule.imports.join(', ') || 'nothing'}`;
}

function isAcross(folders, file, target) {
  const folderOf = (name) => folders.find((folder) => name.startsWith(folder));
  const [from, to] = [folderOf(file), folderOf(target)];
  return from !== undefined && to !== undefined && from !== to;
}

function importsOf(code) {
  return [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2]);
}

/** Good enough for finding imports: a string or template matters only if it looks like one. */
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

/** The top folder of a room: platform is one room with parts. */
function topRoom(room) {
  return `${room.split('/')[0]}/`;
}

function addTo(map, key, value) {
  map.set(key, (map.get(key) ?? new Set()).add(value));
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
  helpIfAsked(
    'Usage: npm run rooms\nChecks that each folder of src/ imports only what scripts/rooms/table.mjs allows.',
  );
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const files = sourceFiles(root);
  const found = violations(files);
  for (const violation of found) console.error(violation);
  console.log(
    `rooms: ${files.length} files, ${found.length} ${found.length === 1 ? 'violation' : 'violations'}`,
  );
  process.exitCode = found.length === 0 ? 0 : 1;
}
