import { z } from 'zod';
import { limitedSignal } from '../../model/limited-signal.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { JSONObject } from './sdk.ts';
import type { ClientCalls } from './tools/client-calls.ts';

/** The client waits for initialize; desktop_status reports on a slower desktop. */
const STATUS_LIMIT_MS = 500;

const Status = z.object({
  platform: z.string(),
  permissions_granted: z.boolean().optional(),
  desktop: z
    .object({
      display: z.string(),
      session_type: z.string(),
      private: z.boolean(),
      found: z.boolean().optional(),
      capabilities: z.record(z.string(), z.boolean()),
    })
    .nullable(),
  problem: z.object({ code: z.string(), message: z.string(), suggestion: z.string() }).optional(),
});

interface DesktopQuery {
  /** The display that the caller's environment names. */
  readonly display: string | undefined;
  /** The caller named no display; Deskterity found it. */
  readonly isFound: boolean;
  readonly hasOwnSession: boolean;
}

/**
 * What is known of a desktop that no call has opened yet: opening it takes as long as all the rest of a cold start, and
 * whoever only greets the server does not need it.
 */
export function unopenedFacts(
  platform: string,
  { display, isFound }: Pick<DesktopQuery, 'display' | 'isFound'>,
): DesktopFacts {
  return {
    reported: {
      platform,
      ...(display === undefined ? {} : { display }),
      ...(isFound ? { found: true } : {}),
      desktop: 'opened by the first request that needs it; its status then has permissions and capabilities',
    },
    capabilities: undefined,
  };
}

export interface DesktopFacts {
  /** For `capabilities.experimental` in the answer to initialize. */
  readonly reported: JSONObject;
  /** `undefined` if no desktop could be queried. */
  readonly capabilities: Readonly<Record<string, boolean>> | undefined;
  /** Error code of the problem, if any. */
  readonly problem?: string | undefined;
}

/** Platform, permissions and capabilities, for a client that connects. Never rejects, and starts no desktop. */
export async function desktopFacts(
  calls: ClientCalls,
  { display = '', isFound, hasOwnSession }: DesktopQuery,
): Promise<DesktopFacts> {
  // Querying would start a private desktop; in one of the user's sessions it may exist already.
  if (display === '' && hasOwnSession)
    return {
      reported: { desktop: 'a private one, started when first needed, unless you have desktops running' },
      capabilities: undefined,
    };
  const limit = limitedSignal({ deadlineMs: STATUS_LIMIT_MS });
  try {
    const { output } = await calls.answer(
      'status',
      { timeout_ms: STATUS_LIMIT_MS },
      { signal: limit.signal },
    );
    const { platform, permissions_granted, desktop, problem } = Status.parse(output);
    return {
      reported: {
        platform,
        ...(permissions_granted === undefined ? {} : { permissions_granted }),
        ...(desktop === null ? {} : desktop),
        ...(problem === undefined ? {} : { problem }),
      },
      capabilities: desktop?.capabilities,
      problem: problem?.code,
    };
  } catch {
    const desktop = `did not answer within ${STATUS_LIMIT_MS} ms`;
    if (!isFound) return { reported: { desktop }, capabilities: undefined };
    // The client must be told that it works on the user's own desktop.
    return { reported: { desktop, display, found: true }, capabilities: undefined };
  } finally {
    limit.release();
  }
}

/** Whether the session does not exist; false if that is unknown. Creates none. */
export async function hasNoSession(calls: Pick<ClientCalls, 'answer' | 'session'>): Promise<boolean> {
  const limit = limitedSignal({ deadlineMs: STATUS_LIMIT_MS });
  try {
    await calls.answer('session info', { name: calls.session }, { signal: limit.signal });
    return false;
  } catch (error) {
    return error instanceof DeskterityError && error.code === 'SESSION_NOT_FOUND';
  } finally {
    limit.release();
  }
}
