import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../model/configuration/config.ts';
import type { Confinement, ConfinementMethod, SandboxName } from '../../model/tools/confinement.ts';
import { parseSwitch, SWITCH_WORDS } from '../../model/configuration/switch-words.ts';
import { makeFolders } from '../make-folders.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { secretsAmong } from '../../model/redaction/secret-texts.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import type { RunSandbox } from '../../ports/runs.ts';
import type { SandboxPort } from '../../ports/sandbox.ts';
import { isInside } from '../../model/is-inside.ts';
import type { Caller, Environment, FixedFolder } from '../../model/sessions/caller.ts';
import { fixFolder } from './fixed-folder.ts';
import { grantedPlaces } from './granted-places.ts';
import { nearestReal } from './sandbox-scope.ts';

export interface ConfinerParts {
  readonly caller: Caller;
  readonly configuration: Configuration;
  /** Folders of Deskterity itself. */
  readonly folders: { readonly state: string; readonly cache: string; readonly config: string };
  readonly sandbox: () => Promise<SandboxPort>;
  /** The environment for programs, before secrets are removed. */
  readonly environment: () => Promise<Environment>;
  /** Folder that everything is confined to. */
  readonly scope: FixedFolder;
  /** Receives the values of variables that a program gets although they may be secrets. */
  readonly onSecrets?: ((values: readonly string[]) => void) | undefined;
}

/** Shared by all programs that are started together. */
export interface ConfinementContext {
  readonly sandbox: SandboxPort;
  /** The scope's own folder for home, temporary files and caches. */
  readonly folder: string;
  readonly environment: Environment;
  /** Files and folders in HOME with programs. */
  readonly programs: readonly string[];
}

/** Determines what one caller's confined programs may access. */
export interface Confiner {
  context(): Promise<ConfinementContext>;
  /** @throws DeskterityError TOOL_INVALID for a scope outside that of the caller */
  confinementOf(
    needs: RunSandbox,
    context: Pick<ConfinementContext, 'folder' | 'programs' | 'sandbox'>,
  ): Promise<Confinement>;
  environmentOf(needs: RunSandbox, context: ConfinementContext): Promise<Record<string, string>>;
}

export function createConfiner(parts: ConfinerParts): Confiner {
  const { caller, configuration, folders } = parts;
  const { path: scope } = parts.scope;
  const guarded = Object.values(folders);
  return {
    context: async () => {
      const [sandbox, folder, environment] = await Promise.all([
        parts.sandbox(),
        sandboxFolder(folders.cache, scope),
        parts.environment(),
      ]);
      const programs = await sandbox.programs({
        environment: { ...environment, HOME: homeOf(caller) },
        withheld: guarded,
      });
      return { sandbox, folder, environment, programs };
    },
    confinementOf: async (needs, { folder, programs, sandbox }) => {
      const inner = needs.scope === parts.scope.path ? parts.scope : await fixFolder(needs.scope);
      const narrow = inner?.path ?? needs.scope;
      if (!isInside(scope, narrow)) throw outside(needs.scope, scope);
      const writable = [scope, folder];
      const own = await Promise.all(guarded.map((path) => nearestReal(path)));
      const write = await grantedPlaces(needs.write, { writable, guarded: own });
      const read = await grantedPlaces(needs.read, { writable: [...writable, ...write] });
      const isReadOnly = needs.isReadOnly === true;
      return {
        by: confinedBy(caller, configuration, needs.profile ?? sandbox.preferred),
        scope: isReadOnly ? folder : narrow,
        read: [...new Set([...(isReadOnly ? [narrow] : []), ...programs, ...read])],
        write: [folder, ...write],
        same: [parts.scope, ...(inner === undefined || inner === parts.scope ? [] : [inner])].map(
          ({ path, device, inode }) => ({ path, device, inode }),
        ),
        network: needs.network,
        unixSockets: needs.unixSockets,
        denyReport: needs.denyReport || configuration.sandbox.deny_report,
      };
    },
    environmentOf: async (needs, { sandbox, environment, folder }) => {
      const given = {
        ...(await sandbox.environment({
          environment,
          folder,
          only: listedVariables(configuration),
          ...needs,
        })),
        ...needs.set,
      };
      const named = [...needs.pass, ...Object.keys(needs.set ?? {})];
      parts.onSecrets?.(secretsAmong(named.map((name) => [name, given[name] ?? ''])));
      return given;
    },
  };
}

/** The variables that the user allows; `undefined` for all that are not secrets. */
function listedVariables({ sandbox: { environment } }: Configuration): readonly string[] | undefined {
  const names = environment.split(/[,\s]+/).filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
}

/** The user's real home. */
export function homeOf({ environment }: Pick<Caller, 'environment'>): string {
  return environment['HOME'] || homedir();
}

/** How a run is to be confined, given its preference; see `SandboxSelector` for what happens if that is not available. */
export function confinedBy(
  { environment }: Pick<Caller, 'environment'>,
  { sandbox: { mode } }: Configuration,
  preferred: SandboxName,
): ConfinementMethod {
  const off = environment['AHMA_NO_SANDBOX'] ?? '';
  const isOff = off === '' ? false : parseSwitch(off);
  // A word that nobody understands must not turn the sandbox off.
  if (isOff === undefined)
    throw new DeskterityError(
      'CONFIG_INVALID',
      `AHMA_NO_SANDBOX is ${quote(off.slice(0, 80))}, which is neither true nor false.`,
      {
        suggestion: `Set it to ${SWITCH_WORDS}, or to nothing.`,
      },
    );
  if (mode === 'off' || (mode === 'auto' && isOff)) return 'none';
  return mode === 'auto' ? preferred : mode;
}

/** With the substitute for the requested method. */
export function withSubstitute(
  confinement: Confinement,
  substitute: (asked: ConfinementMethod) => ConfinementMethod,
): Confinement {
  return { ...confinement, by: substitute(confinement.by) };
}

/** Home, temporary files and caches of all programs in one scope; permanent, to preserve package manager caches. */
async function sandboxFolder(cache: string, scope: string): Promise<string> {
  const key = createHash('sha256').update(scope).digest('hex').slice(0, 16);
  const folder = join(cache, 'sandboxes', key);
  await makeFolders(folder);
  return realpath(folder);
}

function outside(folder: string, scope: string): DeskterityError {
  return new DeskterityError('TOOL_INVALID', `The scope ${quote(folder)} is outside ${quote(scope)}.`, {
    suggestion: 'A tool file can only narrow the scope: name a folder inside it.',
  });
}
