import type { ToolFileIssue } from './tool-file-issue.ts';
import type { SandboxNeeds } from './tool-file-sandbox.ts';

type Path = readonly (string | number)[];

/** Variables that the sandbox itself sets: another value would undo it. */
const OWN_VARIABLES = ['HOME', 'TMPDIR'];

/** Broken rules of what a tool asks for. */
export function* sandboxIssues(needs: SandboxNeeds, path: Path): Generator<ToolFileIssue> {
  for (const key of ['read', 'write'] as const)
    for (const [index, text] of (needs[key] ?? []).entries())
      yield* placeIssues(text, key, [...path, key, index]);
  if (needs.scope !== undefined && (isRooted(needs.scope) || climbs(needs.scope)))
    yield {
      path: [...path, 'scope'],
      message: 'the scope of a tool can only be a folder inside the scope it is used in',
      suggestion: 'Write a path from there without "..", such as "packages/app".',
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
      message: 'patterns and variables other than "$HOME" are not looked at in paths',
      suggestion: 'Name the folder; everything in it is included.',
    };
  else if (/^~[^/]/.test(bare))
    yield { path, message: '"~" is your own home only', suggestion: 'Write the absolute path.' };
  else if (climbs(bare))
    yield { path, message: 'a path with ".." can lead anywhere', suggestion: 'Write where it leads to.' };
  else if (/^\/+(?:\.\/*)*$/.test(bare))
    yield {
      path,
      message: `"${key}" of "/" is the whole machine, which leaves no sandbox`,
      suggestion: 'Name the folders that are needed.',
    };
  else if (key === 'write' && /^~\/*(?:\.\/*)*$/.test(bare))
    yield {
      path,
      message: 'whoever writes in your home can change what you run next',
      suggestion: 'Name the folders in it that are needed.',
    };
}

function* variableIssues(name: string, path: Path): Generator<ToolFileIssue> {
  if (OWN_VARIABLES.includes(name))
    yield {
      path,
      message: `${name} leads to a folder that is made for the scope, which keeps your own out of reach`,
      suggestion: 'Use a variable of the program, such as GIT_CONFIG_GLOBAL or CARGO_HOME.',
    };
}

function isRooted(text: string): boolean {
  return /^(?:\/|~|\$)/.test(text);
}

function climbs(text: string): boolean {
  return text.split('/').includes('..');
}
