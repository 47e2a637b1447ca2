import { readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { commandLine } from './facts.ts';

/**
 * Whether a process runs this program. A start script has another path than what it runs, and an interpreter runs many programs; so the file,
 * the first argument after an interpreter, and the name count: `soffice.bin` and `gnome-terminal-server` belong to `soffice` and `gnome-terminal`.
 * @param program path of the program that was started
 */
export function isSameProgram(program: string, pid: number): boolean {
  const [first = '', second = ''] = commandLine(pid);
  const running = programFile(pid);
  const real = realPath(program);
  const scripts = isInterpreter(running ?? first) ? [second] : [first];
  if (
    (running === real && !isInterpreter(real)) ||
    scripts.some((path) => path.startsWith('/') && realPath(path) === real)
  )
    return true;
  const names = [running ?? '', ...scripts].map((path) => basename(path));
  return [basename(program), basename(real)].some((name) => names.some((other) => isNamedAfter(other, name)));
}

const INTERPRETER = /^(?:python|perl|ruby|node|gjs|java|sh|bash|dash|mono|wish|lua)[\d.]*$/;

function isInterpreter(path: string): boolean {
  return INTERPRETER.test(basename(path));
}

function isNamedAfter(other: string, name: string): boolean {
  if (isInterpreter(name)) return false;
  return other === name || other.startsWith(`${name}.`) || other === `${name}-server`;
}

/** `undefined` if the process has ended or belongs to another user. */
export function programFile(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
