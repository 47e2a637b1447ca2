import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { AttachmentRequest } from '../../ports/terminals/attachments.ts';
import type { TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import { attachCommand, deriveTag } from '../../model/terminals/session-name.ts';
import { noSuchTerminal } from '../failures.ts';
import type { Caller } from '../../model/sessions/caller.ts';

/**
 * The terminal to attach to: that of the project, else the terminal with this id, else the only one with this tag in any project.
 * @throws DeskterityError TERMINAL_NOT_FOUND, AMBIGUOUS_TARGET
 */
export async function findTerminal(
  terminals: TerminalsPort,
  { cwd }: Pick<Caller, 'cwd'>,
  { projectPath: project, tag }: Pick<AttachmentRequest, 'projectPath' | 'tag'>,
): Promise<TerminalFactsView> {
  const path = resolve(cwd === '' ? '/' : cwd, project ?? '');
  // A deleted folder may still have its terminal.
  const projectPath = await realpath(path).catch(() => path);
  const name = { projectPath, tag: tag ?? deriveTag(projectPath) };
  const found = await terminals.find(name);
  if (found !== undefined) return found;
  if (project !== undefined || tag === undefined) throw noSuchTerminal(name);
  const all = await terminals.list();
  const byId = all.find(({ id }) => id === tag);
  const [only, ...others] = byId === undefined ? all.filter((one) => one.name.tag === tag) : [byId];
  if (only === undefined) throw noSuchTerminal(name);
  if (others.length === 0) return only;
  throw new DeskterityError(
    'AMBIGUOUS_TARGET',
    `${others.length + 1} projects have a terminal with tag ${JSON.stringify(tag)}.`,
    {
      suggestion: `Run one of these: ${[only, ...others]
        .slice(0, 5)
        .map((one) => attachCommand(one.name))
        .join(', or ')}.`,
    },
  );
}

/** The terminal with this tag whose project is the folder itself or its nearest ancestor. */
export function nearestTerminal(
  all: readonly TerminalFactsView[],
  tag: string,
  folder: string,
): TerminalFactsView | undefined {
  const found = all.find(({ name }) => name.tag === tag && name.projectPath === folder);
  const parent = dirname(folder);
  return found ?? (parent === folder ? undefined : nearestTerminal(all, tag, parent));
}
