import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock } from '../../../src/platform/node/clock.ts';
import { createDocuments } from '../../../src/platform/node/documents/documents.ts';
import { withFileLock } from '../../../src/platform/node/file-lock.ts';
import { createFiles, createFolders } from '../../../src/platform/node/files.ts';
import type { LogEntry } from '../../../src/ports/log.ts';
import type { CatalogueParts } from '../../../src/toolfiles/tool-catalogue.ts';
import { contentHash, createTrust, TRUST_FILE, type TrustPort } from '../../../src/toolfiles/files/trust.ts';
import { createPrograms } from './programs.ts';

/** Folders with tool files on the real file system. */
export interface CatalogueStage {
  readonly root: string;
  readonly scope: string;
  readonly trust: TrustPort;
  readonly log: LogEntry[];
  /** Programs that were run to see whether tools are there. */
  readonly checked: string[];
  readonly parts: CatalogueParts;
  /** Writes a tool file; its name in the folder is the first word. @returns its path */
  write(place: string, content: object | string): Promise<string>;
  trustFile(path: string, content: object | string): Promise<void>;
  close(): Promise<void>;
}

export function textOf(content: object | string): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

export async function openStage(more: Partial<CatalogueParts> = {}): Promise<CatalogueStage> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-catalogue-')));
  const scope = join(root, 'scope');
  const config = join(root, 'config');
  await mkdir(scope);
  const files = createFiles();
  const trustFile = join(config, TRUST_FILE);
  const trust = createTrust(trustFile, { files, locked: withFileLock });
  const log: LogEntry[] = [];
  const checked: string[] = [];
  const programs = createPrograms(scope);
  const path = (place: string) => join(root, place);
  let drafts = 0;
  return {
    root,
    scope,
    trust,
    log,
    checked,
    parts: {
      toolFolders: [
        { path: path('ready'), origin: 'ready' },
        { path: path('config/tools'), origin: 'user' },
        { path: path('scope/.deskterity/tools'), origin: 'project' },
      ],
      folders: createFolders(),
      files,
      documents: createDocuments(),
      places: { scope, home: path('home'), guarded: [config] },
      trust,
      trustFile,
      readyHashes: new Set(),
      programs: {
        find: (program) => programs.find(program),
        run: (command, limits) => {
          checked.push(command.join(' '));
          return programs.run(command, limits);
        },
      },
      clock: createClock(),
      log: { write: (entry) => log.push(entry) },
      ...more,
    },
    write: async (place, content) => {
      await mkdir(join(path(place), '..'), { recursive: true });
      // Whole at once: who watches must not read a file that is half written.
      const draft = path(`draft-${(drafts += 1)}`);
      await writeFile(draft, textOf(content));
      await rename(draft, path(place));
      return path(place);
    },
    trustFile: (file, content) => trust.trust(file, contentHash(Buffer.from(textOf(content))), new Date()),
    close: () => rm(root, { recursive: true, force: true }),
  };
}
