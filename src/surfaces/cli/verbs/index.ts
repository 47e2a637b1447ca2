import type { ClientVerb } from './verb.ts';

/** Implementations of the commands with `runsIn: 'client'`, and of those that keep printing, by name, loaded on demand. */
export const CLIENT_VERBS: Readonly<Record<string, () => Promise<{ readonly verb: ClientVerb }>>> = {
  batch: () => import('./batch/batch.ts'),
  guide: () => import('./guide.ts'),
  completion: () => import('./completion/completion.ts'),
  'daemon start': async () => ({ verb: (await import('./daemon.ts')).start }),
  'daemon stop': async () => ({ verb: (await import('./daemon.ts')).stop }),
  'daemon restart': async () => ({ verb: (await import('./daemon.ts')).restart }),
  'terminal attach': async () => ({ verb: (await import('./attach/terminal-attach.ts')).attach }),
  'audit show': async () => ({ verb: (await import('./audit-follow.ts')).follow }),
  'daemon logs': async () => ({ verb: (await import('./daemon-logs.ts')).logs }),
};
