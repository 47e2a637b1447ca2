import type { CommandContext } from './define.ts';

/** The caller's settings for when an act has come to rest. */
export function settleLimits({ configuration }: Pick<CommandContext, 'configuration'>): {
  quietMs: number;
  limitMs: number;
} {
  const { quiet_ms: quietMs, limit_ms: limitMs } = configuration.values.settle;
  return { quietMs, limitMs };
}
