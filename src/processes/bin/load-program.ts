import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** The build keeps here what V8 compiled of the program, and which Node that was. */
export const compiledFolder = join(import.meta.dirname, 'compiled');
export const MADE_BY = 'made-by.json';

/** An argument of the daemon after one that was killed while it started. V8 does not notice damage inside of what it compiled, and would crash. */
const COMPILE_ANEW = 'compile-anew';

/** Everything that tells two builds of Node apart: V8 alone does not notice every difference that matters. */
export function thisNode(): string {
  return JSON.stringify([process.versions, type(), process.arch]);
}

/** What was loaded, by the names under which what was compiled is kept; the build asks it for that. */
export const scripts = new Map<string, Script>();

const isCompiledKnown =
  !process.argv.includes(COMPILE_ANEW) && compiledBytes(MADE_BY)?.toString() === thisNode();
/** For Node's own modules and for packages, which are found from every folder of the program. */
const requireOther = createRequire(join(import.meta.dirname, 'desk.cjs'));
const modules = new Map<string, { exports: unknown }>();

/**
 * Loads a CommonJS file of this program with all files that it requires, as Node does, but without compiling again what the build has compiled:
 * that would take a quarter of the time that a daemon needs to start. Another Node compiles everything, as usual.
 */
export function loadProgram(file: string): unknown {
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`;
  // A copy: what V8 keeps of a part of a string is the whole, here with the folder of the build.
  const name = Buffer.from(basename(file)).toString();
  // V8 compares no more of a text than its length.
  const kept = `${name}.${createHash('sha1').update(source).digest('hex').slice(0, 16)}`;
  const script = new Script(source, {
    filename: name,
    cachedData: isCompiledKnown ? compiledBytes(`${kept}.bin`) : undefined,
  });
  const module: { exports: unknown } = { exports: {} };
  modules.set(file, module);
  scripts.set(kept, script);
  const folder = dirname(file);
  const load = (wanted: string): unknown =>
    wanted.startsWith('.') ? loadProgram(join(folder, wanted)) : requireOther(wanted);
  try {
    script.runInThisContext()(module.exports, load, module, file, folder);
  } catch (error) {
    // The next attempt reports the same, instead of half a module.
    modules.delete(file);
    throw error;
  }
  return module.exports;
}

function compiledBytes(name: string): Buffer | undefined {
  try {
    return readFileSync(join(compiledFolder, name));
  } catch {
    return undefined;
  }
}
