import { clip, quoteClipped, reveal } from '../model/text/untrusted-text.ts';
import type { ServerToolFacts } from '../ports/upstream/servers.ts';
import { policyDenied } from '../policy/policy-error.ts';
import type { CommandContext } from './definition.ts';
import { refuseWhileAsked, requireConsent } from './wrappers/require-consent.ts';

const LONGEST_NAME = 120;
/** Of the input, for a person who reads it in a window. */
const LONGEST_INPUT = 600;
const INSTEAD = 'approve the tool in policy.toml (tools.allowed)';

/** The call of a tool by a command. */
export interface ToolCall {
  readonly command: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What consent to running a tool is for, whatever command runs it, and what the one who is asked is told besides. */
export function consentToTool(
  tool: string,
  input: unknown,
): { readonly about: unknown; readonly aside: string | undefined } {
  const text = JSON.stringify(input) ?? '{}';
  const aside = text === '{}' ? undefined : `Its input: ${reveal(clip(text, LONGEST_INPUT))}`;
  return { about: ['tool', tool, input], aside };
}

interface HeededTool {
  /** In rules. */
  readonly name: string;
  /** Completes "run". */
  readonly shown: string;
  /** Why a person agrees before it is run, as a phrase. */
  readonly loses?: string | undefined;
}

/** A tool of another server, which is not confined: it may press what answers a question, too. */
export function heedServerTool(
  ctx: CommandContext,
  call: ToolCall,
  { name, ownName, loses }: ServerToolFacts,
): void {
  refuseWhileAsked(ctx.confirmation);
  const shown = `the tool ${quoteClipped(clip(reveal(ownName), LONGEST_NAME))} of another MCP server (${name})`;
  heedLoss(ctx, call, { name, shown, loses });
}

/** The tools that a call of a tool of a tool file runs: itself, or its steps, which rules may name as well. */
export function heedFileTools(
  ctx: CommandContext,
  call: ToolCall,
  tools: readonly Pick<HeededTool, 'name' | 'loses'>[],
): void {
  for (const { name, loses } of tools) {
    const isOwn = name === call.tool;
    const shown = isOwn ? `the tool ${name}` : `the tool ${name}, a step of ${call.tool}`;
    if (!isOwn) heedRules(ctx, call, { name, shown });
    heedLoss(ctx, call, { name, shown, loses });
  }
}

/** The tool that was called was judged before. */
function heedRules(ctx: CommandContext, call: ToolCall, { name, shown }: HeededTool): void {
  const verdict = ctx.policy.decide({ tool: name, reach: 'tools' });
  if (verdict.decision === 'deny') throw policyDenied(shown, verdict);
  if (verdict.decision === 'confirm' && ctx.isDryRun !== true)
    ask(ctx, call, { shown, why: `${verdict.why.replace(/\.$/, '')} (${verdict.rule})` });
}

function heedLoss(ctx: CommandContext, call: ToolCall, { name, shown, loses }: HeededTool): void {
  if (loses === undefined) return;
  const { confirmation, policy } = ctx;
  const loss = { why: loses, isAsked: confirmation?.isNeeded === true };
  const verdict = policy.decide({ command: call.command, tool: name, loss, concerning: 'loss' });
  if (verdict.decision === 'deny') throw policyDenied(shown, verdict);
  if (verdict.decision === 'confirm') ask(ctx, call, { shown, why: loses });
}

/** The question is that which a rule about the call asks, so that a person who agreed to one agreed to both. */
function ask(
  { confirmation = { isNeeded: false } }: CommandContext,
  { tool, input }: ToolCall,
  { shown, why }: { readonly shown: string; readonly why: string },
): void {
  requireConsent(confirmation, {
    what: `run ${shown}`,
    why,
    instead: INSTEAD,
    ...consentToTool(tool, input),
  });
}
