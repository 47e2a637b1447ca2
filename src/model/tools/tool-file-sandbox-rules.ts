import { issue, type ToolFileIssue } from './tool-file-issue.ts';
import type { SandboxNeeds } from './tool-file-sandbox.ts';

type Path = readonly (string | number)[];

/** Variables that the sandbox itself sets: another value would defeat it. */
const OWN_VARIABLES = ['HOME', 'TMPDIR'];

/** Broken rules of a tool's sandbox. */
export function* sandboxIssues(needs: SandboxNeeds, path: Path): Generator<ToolFileIssue> {
  for (const key of ['read', 'write'] as const)
    for (const [index, text] of (needs[key] ?? []).entries())
      yield* placeIssues(text, key, [...path, key, index]);
  if (needs.scope !== undefined && (isRooted(needs.scope) || hasParentSteps(needs.scope)))
    yield issue(
      [...path, 'scope'],
      'the scope of a tool can only be a folder inside the scope it is used in',
      'Write a path relative to that scope, without "..", such as "packages/app".',
    );
  for (const [index, name] of (needs.environment?.pass ?? []).entries())
    yield* variableIssues(name, [...path, 'environment', 'pass', index]);
  for (const name of Object.keys(needs.environment?.set ?? {}))
    yield* variableIssues(name, [...path, 'environment', 'set', name]);
}

function* placeIssues(text: string, key: 'read' | 'write', path: Path): Generator<ToolFileIssue> {
  const bare = text.replace(/^\$HOME(?=\/|$)/, '~');
  if (/[*?$]/.test(bare))
    yield issue(
      path,
      'paths cannot contain patterns or variables other than "$HOME"',
      'Name the folder; everything in it is included.',
    );
  else if (/^~[^/]/.test(bare))
    yield issue(
      path,
      '"~" can only mean your own home, not that of another user',
      'Write the absolute path.',
    );
  else if (hasParentSteps(bare))
    yield issue(path, 'a path with ".." can lead anywhere', 'Write the resulting path.');
  else if (/^\/+(?:\.\/*)*$/.test(bare))
    yield issue(
      path,
      `"${key}" contains "/", the whole machine, which would leave no sandbox`,
      'Name the folders that are needed.',
    );
  else if (key === 'write' && /^~\/*(?:\.\/*)*$/.test(bare))
    yield issue(
      path,
      'write access to your home would allow changing programs that you run later',
      'Name the folders in it that are needed.',
    );
}

function* variableIssues(name: string, path: Path): Generator<ToolFileIssue> {
  if (OWN_VARIABLES.includes(name))
    yield issue(
      path,
      `${name} is set to a folder made for the scope, to protect your own`,
      'Use a variable of the program, such as GIT_CONFIG_GLOBAL or CARGO_HOME.',
    );
}

function isRooted(text: string): boolean {
  return /^(?:\/|~|\$)/.test(text);
}

function hasParentSteps(text: string): boolean {
  return text.split('/').includes('..');
}
