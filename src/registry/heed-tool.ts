import { clip, quoteClipped, reveal } from '../model/text/untrusted-text.ts';
import type { ServerToolFacts } from '../ports/upstream/servers.ts';
import { policyDenied } from '../policy/policy-error.ts';
import type { CommandContext } from './definition.ts';
import { refuseWhileAsked, requireConsent } from './wrappers/require-consent.ts';

const LONGEST_NAME = 120;
/** Of the input, for a person who reads it in a window. */
const LONGEST_INPUT = 600;
const INSTEAD = 'approve the tool in policy.toml (tools.allowed)';

/** The call of a command that runs tools. */
export interface ToolCall {
  readonly command: string;
  /** The input of the command, which consent is bound to. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The input of the tool, for the one who is asked. */
  readonly input: Readonly<Record<string, unknown>>;
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
  own: string,
  tools: readonly Pick<HeededTool, 'name' | 'loses'>[],
): void {
  for (const { name, loses } of tools) {
    const shown = name === own ? `the tool ${name}` : `the tool ${name}, a step of ${own}`;
    if (name !== own) heedRules(ctx, call, { name, shown });
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
  { command, given, input }: ToolCall,
  { shown, why }: { readonly shown: string; readonly why: string },
): void {
  const text = JSON.stringify(input);
  requireConsent(confirmation, {
    what: `run ${shown}`,
    why,
    about: [command, given, 'command'],
    instead: INSTEAD,
    aside: text === '{}' ? undefined : `Its input: ${reveal(clip(text, LONGEST_INPUT))}`,
  });
}
