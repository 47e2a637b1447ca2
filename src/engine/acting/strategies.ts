import { mentionParameter } from '../../model/text/mention.ts';
import type { Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { MODE_OF, type Backend, type Mode } from '../../model/effects/mode.ts';
import { isSeatRefusal } from '../../model/effects/seat-refusal.ts';
import { Planned } from '../../model/effects/planned.ts';
import { REFUSALS, type ActingCommand } from '../../model/effects/refusals.generated.ts';
import type { Act } from './attempt.ts';

/** One way to carry out a command. */
export interface Strategy {
  readonly backend: Backend;
  /** Created when needed: an act may hold keyboard and pointer. */
  readonly act: () => Act;
}

/** The strategies that a requested mode allows. */
const STARTS: Readonly<Record<Mode, readonly Backend[]>> = {
  background: ['accessibility'],
  focus: ['keyboard', 'pointer'],
  pointer: ['pointer'],
};

/** The strategies of a command, and the mode that selects among them. */
interface Choices {
  readonly command: ActingCommand;
  readonly mode: Mode | undefined;
  readonly strategies: readonly Strategy[];
}

/**
 * Tries the strategies in order until one has an effect. The next one is tried only if the previous one sent nothing, or if a fresh read shows that
 * it had no effect and repeating is safe: an act must never happen twice.
 */
export async function tryStrategies(
  { command, mode, strategies }: Choices,
  perform: (act: Act) => Promise<Receipt>,
): Promise<Receipt> {
  const chosen =
    mode === undefined ? strategies : strategies.filter(({ backend }) => STARTS[mode].includes(backend));
  const tried: string[] = [];
  let withoutEffect: unknown;
  for (const [index, { backend, act }] of chosen.entries()) {
    try {
      const receipt = await perform(act());
      const delivered = receipt.delivered || withoutEffect !== undefined;
      return { ...receipt, delivered, via: [...tried, receipt.via].join('; then ') };
    } catch (error) {
      if (error instanceof Planned) throw error.with({ via: backend });
      const why = reasonToGoOn(error);
      if (why !== undefined && index < chosen.length - 1) {
        tried.push(`${backend}: ${why}`);
        if (wasDelivered(error)) withoutEffect = error;
        continue;
      }
      const otherModes = why === undefined ? [] : modesBeside(strategies, chosen);
      // Report the act that was sent without effect; that the next strategy is unavailable is a detail of it.
      if (withoutEffect !== undefined && !wasDelivered(error))
        throw explained(withoutEffect, {
          tried: [`then ${backend}: ${messageOf(error)}`],
          otherModes,
          ...(isSeatRefusal(error) ? { refusal: error } : {}),
        });
      throw explained(error, { tried, otherModes });
    }
  }
  throw new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `"${command}" cannot be done in the mode "${mode}"${whyNot(command, mode)}.`,
    {
      suggestion: `Use ${modesBeside(strategies, []).join(' or ')}, or omit ${mentionParameter('mode')}.`,
      delivered: false,
    },
  );
}

function whyNot(command: ActingCommand, mode: Mode | undefined): string {
  const first = mode === undefined ? undefined : STARTS[mode][0];
  const refusals: Partial<Record<Backend, string>> = REFUSALS[command];
  const reason = first && refusals[first];
  return reason === undefined ? '' : `: ${reason}`;
}

function wasDelivered(error: unknown): boolean {
  return error instanceof DeskterityError && error.delivered === true;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function reasonToGoOn(error: unknown): string | undefined {
  if (!(error instanceof DeskterityError)) return undefined;
  if (error.code === 'ACTION_NOT_SUPPORTED' && error.delivered !== true) return 'not offered';
  const { result } = error;
  const isWithoutEffect = result?.['effect'] === 'no_op' && result['retry_safe'] === true;
  return error.code === 'ACTION_FAILED' && isWithoutEffect
    ? `${String(result['via'])} changed nothing`
    : undefined;
}

function modesBeside(strategies: readonly Strategy[], chosen: readonly Strategy[]): readonly string[] {
  const others = strategies.filter((strategy) => !chosen.includes(strategy));
  return [...new Set(others.map(({ backend }) => mentionParameter('mode', MODE_OF[backend])))];
}

/** The error, extended by what was tried before and by the other modes. */
function explained(
  error: unknown,
  {
    tried,
    otherModes,
    refusal,
  }: {
    readonly tried: readonly string[];
    readonly otherModes: readonly string[];
    /** Why the next strategy could not be tried with the seat that was chosen. */
    readonly refusal?: unknown;
  },
): unknown {
  if (!(error instanceof DeskterityError) || (tried.length === 0 && otherModes.length === 0)) return error;
  const detail = [...(error.platformDetail === undefined ? [] : [error.platformDetail]), ...tried].join('; ');
  return error.with({
    suggestion:
      otherModes.length === 0
        ? error.suggestion
        : `Use ${otherModes.join(' or ')}, or omit ${mentionParameter('mode')} to try all. Otherwise: ${error.suggestion}`,
    platformDetail: detail === '' ? undefined : detail,
    ...(refusal === undefined ? {} : { cause: refusal }),
  });
}
