/** How command boundaries are detected: by hooks of the shell, by a line around the command (POSIX), or not at all. */
export type ShellKind = 'bash' | 'zsh' | 'fish' | 'posix' | 'none';

/** A shell whose command boundaries can be detected. */
export type BoundedShellKind = Exclude<ShellKind, 'none'>;

const POSIX_SHELLS = new Set(['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'oksh', 'loksh', 'yash']);

/** The kind of a shell from its program: a path, a name, or `-name` as login shells call themselves. */
export function shellKindOf(program: string): ShellKind {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '');
  if (name === 'bash' || name === 'zsh' || name === 'fish') return name;
  return POSIX_SHELLS.has(name) ? 'posix' : 'none';
}
