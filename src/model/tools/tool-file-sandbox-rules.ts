import type { ToolFileIssue } from './tool-file-issue.ts';
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
    yield {
      path: [...path, 'scope'],
      message: 'the scope of a tool can only be a folder inside the scope it is used in',
      suggestion: 'Write a path relative to that without "..", such as "packages/app".',
    };
  for (const [index, name] of (needs.environment?.pass ?? []).entries())
    yield* variableIssues(name, [...path, 'environment', 'pass', index]);
  for (const name of Object.keys(needs.environment?.set ?? {}))
    yield* variableIssues(name, [...path, 'environment', 'set', name]);
}

function* placeIssues(text: string, key: 'read' | 'write', path: Path): Generator<ToolFileIssue> {
  const bare = text.replace(/^\$HOME(?=\/|$)/, '~');
  if (/[*?$]/.test(bare))
    yield {
      path,
      message: 'paths cannot contain patterns or variables other than "$HOME"',
      suggestion: 'Name the folder; everything in it is included.',
    };
  else if (/^~[^/]/.test(bare))
    yield { path, message: '"~" can only mean your own home', suggestion: 'Write the absolute path.' };
  else if (hasParentSteps(bare))
    yield { path, message: 'a path with ".." can lead anywhere', suggestion: 'Write the resulting path.' };
  else if (/^\/+(?:\.\/*)*$/.test(bare))
    yield {
      path,
      message: `"${key}" of "/" is the whole machine, which leaves no sandbox`,
      suggestion: 'Name the folders that are needed.',
    };
  else if (key === 'write' && /^~\/*(?:\.\/*)*$/.test(bare))
    yield {
      path,
      message: 'write access to your home allows changing what you run next',
      suggestion: 'Name the folders in it that are needed.',
    };
}

function* variableIssues(name: string, path: Path): Generator<ToolFileIssue> {
  if (OWN_VARIABLES.includes(name))
    yield {
      path,
      message: `${name} is set to a folder made for the scope, to protect your own`,
      suggestion: 'Use a variable of the program, such as GIT_CONFIG_GLOBAL or CARGO_HOME.',
    };
}

function isRooted(text: string): boolean {
  return /^(?:\/|~|\$)/.test(text);
}

function hasParentSteps(text: string): boolean {
  return text.split('/').includes('..');
}
