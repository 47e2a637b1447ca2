/** What can be done in a shell: hooks of its own, a line around the command that any POSIX shell reads, or no command boundaries at all. */
export type ShellKind = 'bash' | 'zsh' | 'fish' | 'posix' | 'none';

/** A shell in which commands have a beginning and an end that can be seen. */
export type BoundedShellKind = Exclude<ShellKind, 'none'>;

const POSIX_SHELLS = new Set(['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh', 'oksh', 'loksh', 'yash']);

/** The kind of a shell by its program: a path, a name, or `-name` as a login shell calls itself. */
export function shellKindOf(program: string): ShellKind {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '');
  if (name === 'bash' || name === 'zsh' || name === 'fish') return name;
  return POSIX_SHELLS.has(name) ? 'posix' : 'none';
}
