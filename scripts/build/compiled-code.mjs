/**
 * Keeps what V8 compiled of the program, because a daemon would need a quarter of its start for that. The files of host and daemon are
 * loaded by `load-program.cjs`, which takes it from there if exactly the same Node runs the program.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const LIMIT_MS = 30_000;
const RECORDER = path.join(path.dirname(fileURLToPath(import.meta.url)), 'record-compiled-code.mjs');

/** Puts the loader before the daemon and the host. */
export async function loadedWithCompiledCode(folder) {
  for (const name of ['daemon', 'host']) {
    await rename(path.join(folder, `${name}.cjs`), path.join(folder, `${name}-program.cjs`));
    const file = `require('node:path').join(__dirname,'${name}-program.cjs')`;
    const code = `module.exports=require('./load-program.cjs').loadProgram(${file});\n`;
    await writeFile(path.join(folder, `${name}.cjs`), code);
  }
}

/** Starts a daemon and an MCP client in a folder of their own, and keeps what was compiled for them. Rejects where none can run. */
export async function keepCompiledCode(folder) {
  const home = await mkdtemp(path.join(tmpdir(), 'dkb-'));
  try {
    await promisify(execFile)(process.execPath, [RECORDER, folder], {
      timeout: LIMIT_MS,
      env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, DISPLAY: '', TMPDIR: home },
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
