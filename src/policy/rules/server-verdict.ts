import type { SecurityMode, Verdict } from '../../model/policy/verdict.ts';
import { SERVER_SEPARATOR } from '../../model/tools/server-of-tool.ts';
import { toolCommandName } from '../../model/tools/tool-command-name.ts';
import { byMode } from './modes.ts';
import { plain, type Texts } from './pattern.ts';
import { plainText } from './patterns.ts';
import type { Rule } from './rule.ts';
import type { Approval } from './unattended.ts';

/** Rules of one source that allow commands, and those that allow tools. */
export interface AllowedTools {
  readonly command: readonly Rule[];
  readonly tool: readonly Rule[];
}

interface Rules {
  readonly mode: SecurityMode;
  /** Those that deny commands and tools. */
  readonly denying: readonly Rule[];
  /** By source. */
  readonly allowing: readonly AllowedTools[];
  readonly approval: Approval | undefined;
  readonly verdictOf: (rule: Rule, pattern: string) => Verdict;
  readonly decide: (request: { readonly command: string; readonly tool: string }) => Verdict;
}

/** A way to the tools of a server. */
interface Way {
  readonly command: Texts;
  readonly tool: Texts;
  readonly commandFor: (tool: string) => string;
}

const CALL = 'tools call';

/**
 * The denial of all tools that a server can have, whatever it calls them: nobody can use it, so it is not even started. `undefined` if one of them might be
 * allowed.
 */
export function serverDenial(server: string, rules: Rules): Verdict | undefined {
  const beginning = `${server}${SERVER_SEPARATOR}`;
  const tool: Texts = { text: plain(beginning), isBeginning: true };
  const byName = (name: string): string => toolCommandName(name).join(' ');
  const ways: readonly Way[] = [
    { tool, command: { text: plain(byName(beginning)), isBeginning: true }, commandFor: byName },
    { tool, command: { text: CALL, isBeginning: false }, commandFor: () => CALL },
  ];
  let first: Verdict | undefined;
  for (const way of ways) {
    const denial = denialOn(way, server, rules);
    if (denial === undefined) return undefined;
    first ??= denial;
  }
  return first;
}

function denialOn(way: Way, server: string, rules: Rules): Verdict | undefined {
  for (const rule of rules.denying) {
    const pattern = coveringPattern(rule, way, server);
    if (pattern !== undefined) return rules.verdictOf(rule, pattern);
  }
  const modal = byMode(rules.mode, { tool: way.tool.text }, ['command'], false);
  if (modal?.decision === 'deny') return modal;
  for (const { command, tool } of rules.allowing) {
    const [one] = [...command, ...tool];
    const isPossible =
      (command.length === 0 || command.some((rule) => mayName(rule.commands?.among(way.command)))) &&
      (tool.length === 0 || tool.some((rule) => namesUsable(rule, way, rules)));
    if (one !== undefined && !isPossible)
      return { decision: 'deny', rule: one.name, why: `${one.source} names none of its tools.` };
  }
  const { approval } = rules;
  if (approval === undefined || namesUsable(approval.tools, way, rules)) return undefined;
  const rule = `unattended.${approval.name}.tools`;
  return {
    decision: 'deny',
    rule,
    why: 'Nobody watches this run, and none of its tools was approved beforehand.',
  };
}

/** If all that a rule mentions is the same for all tools. */
function coveringPattern({ commands, tools }: Rule, way: Way, server: string): string | undefined {
  const [command, tool] = [
    commands === undefined ? '' : commands.coversAll(way.command),
    tools === undefined ? '' : (tools.like([plainText(server)], false) ?? tools.coversAll(way.tool)),
  ];
  return command === undefined || tool === undefined ? undefined : `${command}${tool}`;
}

function mayName(found: ReturnType<NonNullable<Rule['tools']>['among']> | undefined): boolean {
  return found !== undefined && (found.mayBeMore || found.named.length > 0);
}

/** Whether a list that allows tools names one of the server that is not denied. */
function namesUsable({ tools }: Rule, { tool, commandFor }: Way, { decide }: Rules): boolean {
  const found = tools?.among(tool);
  if (found === undefined) return false;
  return (
    found.mayBeMore ||
    found.named.some((name) => decide({ command: commandFor(name), tool: name }).decision !== 'deny')
  );
}
