import { isAbsolute, resolve } from 'node:path';
import { actOfCommand, whyDestructive } from '../../model/destructive/destructive-act.ts';
import { whyDestructiveTool } from '../../model/destructive/destructive-tool.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { requestOf } from '../../model/policy/request-of.ts';
import type { RuledCommand } from '../../model/policy/ruled-command.ts';
import { DECISIONS, type Policy, type PolicyRequest, type Verdict } from '../../model/policy/verdict.ts';
import { toolCommandName, toolOfCommand } from '../../model/tools/tool-command-name.ts';
import { parseRole } from '../../model/tree/role.ts';
import type { CommandContext, ExplainableCommand } from '../../registry/define.ts';

/** What is asked about. */
export interface Explained {
  readonly command: readonly string[];
  readonly app?: string | undefined;
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly project?: string | undefined;
  readonly tool?: string | undefined;
}

/** What would be asked of the policy on the way of a call, with everything that is known of it. */
export interface Requests {
  readonly name: string;
  readonly ruled: RuledCommand;
  readonly beyondReading?: string | undefined;
  /** One for each command and folder that a call is judged by. */
  readonly all: readonly PolicyRequest[];
  /** What the element or the tool loses by its name, as a phrase. */
  readonly loses?: string | undefined;
}

/** @throws DeskterityError INVALID_ARGUMENT for an unknown command or role */
export async function requestsFor(ctx: CommandContext, given: Explained): Promise<Requests> {
  const { judged, ruled, beyondReading } = commandOf(ctx, given.command.join(' '));
  const own = requestOf(judged, { tool: given.tool });
  const reached: PolicyRequest = {
    ...(await applicationIn(ctx, given)),
    ...elementIn(given),
  };
  const loses = ruled.isReadOnly ? undefined : lossOf(judged.name, own, reached);
  const loss =
    loses === undefined ? {} : { loss: { why: loses, isAsked: ctx.confirmation?.isNeeded === true } };
  const projects =
    judged.group === 'terminals' || given.project !== undefined ? await projectsIn(ctx, given) : [{}];
  const all = projects.flatMap((project) => {
    const request = { ...own, ...reached, ...project, ...loss };
    const inner = toolRequestIn(judged.name, request);
    return inner === undefined ? [request] : [request, inner];
  });
  return { name: judged.name, ruled, beyondReading, all, loses };
}

/** The strictest of all verdicts: a call is judged in stages, and each of them can refuse it. */
export function decided({ decide }: Pick<Policy, 'decide'>, requests: readonly PolicyRequest[]): Verdict {
  const [first, ...others] = requests.map((request) => decide(request));
  if (first === undefined) throw new Error('nothing was asked');
  return others.reduce(
    (most, one) => (DECISIONS.indexOf(one.decision) > DECISIONS.indexOf(most.decision) ? one : most),
    first,
  );
}

function commandOf({ commands }: CommandContext, asked: string): ExplainableCommand {
  const known = commands.explainable(commands.find(asked)?.name ?? asked);
  if (known !== undefined) return known;
  if (toolOfCommand(asked) !== undefined)
    return {
      judged: { name: asked, kind: 'admin', group: 'operations', isReadOnly: false },
      ruled: { name: asked, isReadOnly: false, reach: 'tools', reaches: new Set(['tool']) },
    };
  throw new DeskterityError('INVALID_ARGUMENT', `There is no command ${JSON.stringify(asked)}.`, {
    suggestion: 'Give the name without parameters, such as "clipboard set".',
  });
}

async function applicationIn(
  { applicationFacts }: CommandContext,
  { app }: Explained,
): Promise<Pick<PolicyRequest, 'application'>> {
  if (app === undefined) return {};
  const named = isAbsolute(app) ? { executable: app } : { name: app };
  return { application: { ...named, ...(await applicationFacts?.(app)) } };
}

function elementIn({ role, name, title }: Explained): Pick<PolicyRequest, 'element'> {
  if (role === undefined && name === undefined) return {};
  const known = role === undefined ? 'generic' : parseRole(role);
  if (known === undefined)
    throw new DeskterityError('INVALID_ARGUMENT', `There is no role ${JSON.stringify(role)}.`, {
      suggestion: 'Use a role that a snapshot shows, such as button.',
    });
  return { element: { role: known, name: name ?? '', window: title } };
}

/** It may be named in two ways, if its path contains links. */
async function projectsIn(
  { cwd, files }: CommandContext,
  { project }: Explained,
): Promise<Pick<PolicyRequest, 'terminalProject'>[]> {
  const path = resolve(cwd, project ?? '');
  const real = await files.find(path).catch(() => undefined);
  return [...new Set([path, real?.path ?? path])].map((terminalProject) => ({ terminalProject }));
}

/** `run-tool` runs the command of its tool, which is judged as well. */
function toolRequestIn(command: string, request: PolicyRequest): PolicyRequest | undefined {
  const { tool = '' } = request;
  const inner = toolCommandName(tool).join(' ');
  return command === 'run-tool' && toolOfCommand(inner) !== undefined
    ? { ...request, command: inner }
    : undefined;
}

function lossOf(command: string, { tool }: PolicyRequest, { element }: PolicyRequest): string | undefined {
  if (tool !== undefined) {
    const [, ...own] = tool.split('__');
    return own.length === 0 ? undefined : whyDestructiveTool({ ownName: own.join('__') });
  }
  return element && whyDestructive({ ...element, act: actOfCommand(command) });
}
