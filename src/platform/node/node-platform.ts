import { readdir } from 'node:fs/promises';
import type { Platform } from '../../ports/platform.ts';
import { createClock } from './clock.ts';
import { createFiles, createFolders } from './files.ts';
import { withFileLock } from './file-lock.ts';
import { findProgram, isExecutable } from './find-program.ts';
import { listen } from './local-sockets.ts';
import { createLog } from './logs/log.ts';
import { formatForTerminal } from './logs/log-format.ts';
import { makeFolder } from './make-folder.ts';
import { readPathFacts } from './path-facts.ts';
import { createSessionStore } from './session-store.ts';
import { systemFacts } from './system.ts';

/** The parts of the platform that are the same on every system. */
export type NodePlatform = Pick<
  Platform,
  | 'clock'
  | 'files'
  | 'folders'
  | 'logs'
  | 'auditFolder'
  | 'policyFile'
  | 'pathFacts'
  | 'sessionStores'
  | 'programs'
  | 'facts'
  | 'makeFolder'
  | 'withFileLock'
  | 'configuration'
  | 'documents'
> & { readonly listen: Platform['sockets']['listen'] };

/** The parts of the platform that differ by system. */
export type MachinePlatform = Omit<Platform, keyof NodePlatform | 'sockets'> & {
  readonly isConfined: Platform['sockets']['isConfined'];
  readonly peerPid: Platform['sockets']['peerPid'];
};

export function createNodePlatform(): NodePlatform {
  const files = createFiles();
  let configuration: Promise<Platform['configuration']> | undefined;
  return {
    clock: createClock(),
    files,
    folders: createFolders(),
    logs: {
      open: createLog,
      firstFolder: async (choices) => (await import('./logs/log-folder.ts')).firstLogFolder(choices),
      format: formatForTerminal,
    },
    auditFolder: async (path, isLogFile) =>
      (await import('./audit-folder.ts')).createAuditFolder(path, isLogFile),
    policyFile: async (path, options) => (await import('./policy-file.ts')).readPolicyFile(path, options),
    pathFacts: readPathFacts,
    sessionStores: {
      open: (folder, note) => createSessionStore({ folder, note }),
      names: foldersIn,
    },
    programs: {
      find: findProgram,
      isExecutable,
      run: async (command, options) => (await import('./run-quickly.ts')).runQuickly(command, options),
    },
    listen,
    facts: systemFacts,
    makeFolder,
    withFileLock,
    configuration: async (request) => {
      configuration ??= import('./configuration/configuration-file.ts').then((module) =>
        module.createConfigurationLoader(),
      );
      return (await configuration)(request);
    },
    documents: async () => (await import('./documents/documents.ts')).createDocuments(),
  };
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    // There was no session yet, or the folder cannot be read.
    return [];
  }
}
