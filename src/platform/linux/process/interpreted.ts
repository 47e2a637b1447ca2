import { statSync } from 'node:fs';
import path from 'node:path';

/** Programs that run other programs. */
const INTERPRETER =
  /^(python|pypy|perl|ruby|node|nodejs|bun|deno|gjs|gjs-console|java|electron|bash|dash|sh|zsh|mono|mono-sgen|lua|luajit|tclsh|wish|guile|php|dotnet|qml|wine|wine64|wine-preloader|wine64-preloader)[\d.]*$/;
/** What is behind these words is no file, but names what runs. */
const NAMING = new Set(['-m', '-jar']);
const CODE = new Set(['-c', '-e', '-E', '--eval']);
const MOST_WORDS = 40;

export function isInterpreter(executable: string): boolean {
  return INTERPRETER.test(path.basename(executable));
}

/**
 * What an interpreter was told to run: the words up to the first one that is a file, as some options take words of their own. Programs can change
 * their words while they run.
 */
export function interpreted(args: readonly string[], folder: string): string[] {
  const named: string[] = [];
  for (const [index, word] of args.slice(0, MOST_WORDS).entries()) {
    if (NAMING.has(word)) named.push(args[index + 1] ?? '');
    if (CODE.has(word)) break;
    if (word === '' || word.startsWith('-')) continue;
    const file = path.resolve(folder, word);
    named.push(word.includes('/') ? file : word);
    if (isFile(file)) break;
  }
  return [...new Set(named.filter((name) => name !== '').flatMap((name) => [name, ...packageOf(name)]))];
}

/** Files that are called the same in every program: the folder tells which one it is. */
const GENERIC_FILE = /^(?:app|main|index|__main__|run|start|cli|launcher)(?:\.[a-z]+)?$/i;
const GENERIC_FOLDER =
  /^(?:resources|app|dist|src|lib|lib64|bin|build|out|share|usr|opt|local|site-packages)$/i;

function packageOf(file: string): string[] {
  if (!GENERIC_FILE.test(path.basename(file))) return [];
  const folders = path.dirname(file).split('/').toReversed();
  const folder = folders.find((one) => one !== '' && one !== '.' && !GENERIC_FOLDER.test(one));
  return folder === undefined ? [] : [folder];
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
