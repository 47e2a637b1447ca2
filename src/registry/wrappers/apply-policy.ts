import { resolve } from 'node:path';
import type { ActApplication, ActGuard, GuardedAct } from '../../engine/requests/acting.ts';
import { isRecord } from '../../model/is-record.ts';
import { projectIn, requestOf, RUNNING } from '../../model/policy/request-of.ts';
import type { ApplicationFacts, PolicyRequest, Verdict } from '../../model/policy/verdict.ts';
import { clip, quoteClipped, reveal } from '../../model/text/untrusted-text.ts';
import { withinCommand } from '../../policy/current-policy.ts';
import { policyDenied } from '../../policy/policy-error.ts';
import type { CommandContext, CommandDefinition } from '../definition.ts';
import type { RegisteredCommand } from '../registry.ts';
import { consentToTool } from '../heed-tool.ts';
import { keepingFiles } from './keeping-files.ts';
import { requireConsent } from './require-consent.ts';
import type { Wrapper } from './wrapper.ts';

const LONGEST_SHOWN = 200;
const INSTEAD = 'change policy.toml';
/** The question is about the command as a whole. */
const COMMAND = 'command';

/**
 * Judges every command, also as a step of others: by what is known before it runs, then each element that it acts on. Applications and terminals are judged
 * where they are reached, by the same policy. Stopping is always possible.
 */
export const applyPolicy: Wrapper = (command, next) => {
  const { definition, name } = command;
  if (definition.isUrgent === true) return next;
  return async (ctx, input) => {
    const { policy } = ctx;
    const given = isRecord(input) ? input : {};
    const request = judged(command, given);
    const { tool, isReadOnly = false } = request;
    const ask = (what: string, { rule, why }: Verdict, about: unknown): void => {
      // What would be done can be told without consent to doing it.
      if (ctx.isDryRun === true) return;
      const reason = `${why.replace(/\.$/, '')} (${rule})`;
      const isOfTool = about === COMMAND && tool !== undefined;
      requireConsent(ctx.confirmation ?? {}, {
        what,
        why: reason,
        instead: INSTEAD,
        ...(isOfTool ? consentToTool(tool, inputOfTool(name, given)) : { about: [name, given, about] }),
      });
    };
    for (const one of await withProjects(request, command, ctx, given))
      heed(policy.decide(one), {
        what: `the command ${name}`,
        does: whatRuns(name, given),
        about: COMMAND,
        ask,
      });
    const call = { policy, command: { command: request.command, isReadOnly }, ask };
    const guard =
      policy.judgesElements && !isReadOnly ? elementGuard(ctx, request, { name, given }) : ctx.guard;
    const files = keepingFiles(policy, ctx.files);
    return withinCommand(call, () => next({ ...ctx, guard, files }, input));
  };
};

type Judged = Pick<RegisteredCommand, 'definition' | 'name'>;

/** What the policy is asked about a call; `undefined` for what is always possible. Without an input: about a call that does only what it must. */
export function requestAbout(
  command: Judged,
  input?: Readonly<Record<string, unknown>>,
): PolicyRequest | undefined {
  return command.definition.isUrgent === true ? undefined : judged(command, input);
}

function judged({ definition, name }: Judged, input: Readonly<Record<string, unknown>> = {}): PolicyRequest {
  const isReadOnly = changesNothing(definition) && !doesMore(definition, input);
  return requestOf({ name, kind: definition.kind, group: definition.group, isReadOnly }, input);
}

export function changesNothing({
  kind,
  isReadOnly,
}: Pick<CommandDefinition, 'kind' | 'isReadOnly'>): boolean {
  return kind === 'read' || isReadOnly === true;
}

/** Whether a command that reads was asked for more. */
function doesMore({ beyondReading }: CommandDefinition, input: unknown): boolean {
  if (beyondReading === undefined || !isRecord(input)) return false;
  const given = input[beyondReading];
  return given !== undefined && given !== false;
}

function heed(
  verdict: Verdict,
  act: {
    readonly what: string;
    readonly does: string;
    readonly about: unknown;
    readonly ask: (what: string, verdict: Verdict, about: unknown) => void;
  },
): void {
  if (verdict.decision === 'deny') throw policyDenied(act.what, verdict);
  if (verdict.decision === 'confirm') act.ask(act.does, verdict, act.about);
}

/** Judges each element before it is acted on. Its question is that about destructive acts, so that a person who agreed to one agreed to both. */
function elementGuard(
  ctx: CommandContext,
  request: PolicyRequest,
  { name, given }: { readonly name: string; readonly given: Readonly<Record<string, unknown>> },
): ActGuard {
  return async (about: GuardedAct) => {
    await ctx.guard?.(about);
    const { act, target, identity } = about;
    const { words, application: found } = await about.place();
    const application = found && factsOf(found, ctx);
    for (const element of await about.elements()) {
      const verdict = ctx.policy.decide({ ...request, application, element, concerning: 'element' });
      if (verdict.decision === 'allow') continue;
      const shown = `${element.role} ${quoteClipped(clip(element.name, LONGEST_SHOWN))}`;
      if (verdict.decision === 'deny') throw policyDenied(`this act, which reaches the ${shown}`, verdict);
      if (ctx.isDryRun === true) continue;
      const what = `${act} ${target.role} ${quoteClipped(clip(target.name ?? '', LONGEST_SHOWN))} in ${words}`;
      const why = `${verdict.why.replace(/\.$/, '')} (${verdict.rule}, about the ${shown})`;
      requireConsent(ctx.confirmation ?? {}, {
        what,
        why,
        // A list may have another option at the same place by then.
        about: [name, given, act, identity, ...(act === 'select' ? [element.role, element.name] : [])],
        instead: INSTEAD,
        picture: { take: () => about.picture() },
      });
    }
  };
}

/** The application as the desktop judged it on the way to its element, and as its window says. Text screens are none. */
function factsOf(
  { name, pid }: ActApplication,
  { decided }: Pick<CommandContext, 'decided'>,
): ApplicationFacts {
  const known = decided?.ofProcess(pid)?.facts;
  if (known === undefined) return { name };
  const otherNames = [known.name, ...(known.otherNames ?? [])].filter((one) => one !== undefined);
  return { ...known, name, otherNames };
}

/** For a terminal, whose project may be named in two ways if the path contains links. */
async function withProjects(
  request: PolicyRequest,
  { definition }: RegisteredCommand,
  ctx: CommandContext,
  given: Readonly<Record<string, unknown>>,
): Promise<readonly PolicyRequest[]> {
  if (definition.group !== 'terminals' || request.isReadOnly === true) return [request];
  const path = resolve(ctx.cwd, projectIn(given) ?? '');
  const real = await ctx.files.find(path).catch(() => undefined);
  return [...new Set([path, real?.path ?? path])].map((terminalProject) => ({ ...request, terminalProject }));
}

/** Commands that run the tool that they name give it part of their input. */
function inputOfTool(name: string, given: Readonly<Record<string, unknown>>): unknown {
  return RUNNING.has(name) ? given['args'] : given;
}

/** The command with what names its target: texts that it types may be secret. */
function whatRuns(name: string, given: Readonly<Record<string, unknown>>): string {
  const named = ['ref', 'app', 'window', 'tool', 'tag', 'keys', 'path'].flatMap((key) => {
    const value = given[key];
    return typeof value === 'string' ? [quoteClipped(clip(reveal(value), LONGEST_SHOWN))] : [];
  });
  return [`run ${name}`, ...named].join(' ');
}
