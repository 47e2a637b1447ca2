import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { JSONObject } from './sdk.ts';
import type { DeskCalls } from './tools/desk-calls.ts';

/** A client waits for its greeting: a desktop that takes longer is told about by desktop_status. */
const LOOK_LIMIT_MS = 500;

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

interface DesktopQuestion {
  /** That the caller's environment names. */
  readonly display: string | undefined;
  /** The caller did not name it: it was found. */
  readonly isFound: boolean;
  readonly hasOwnSession: boolean;
}

export interface DesktopFacts {
  /** Under `capabilities.experimental` of the greeting. */
  readonly told: JSONObject;
  /** `undefined` where no desktop could be asked. */
  readonly capabilities: Readonly<Record<string, boolean>> | undefined;
  /** Code of what is wrong. */
  readonly problem?: string | undefined;
}

/** What a client is told of platform, permissions and capabilities when it connects. Never rejects, and starts no desktop. */
export async function desktopFacts(
  calls: DeskCalls,
  { display = '', isFound, hasOwnSession }: DesktopQuestion,
): Promise<DesktopFacts> {
  // Where there is none, one would be started by asking; in a session of the user's it may be there already.
  if (display === '' && hasOwnSession)
    return {
      told: { desktop: 'a private one, started when it is first needed, unless desktops of yours are alive' },
      capabilities: undefined,
    };
  const limit = AbortSignal.timeout(LOOK_LIMIT_MS);
  try {
    const { output } = await calls.answer('status', { timeout_ms: LOOK_LIMIT_MS }, { signal: limit });
    const { platform, permissions_granted, desktop, problem } = Status.parse(output);
    return {
      told: {
        platform,
        ...(permissions_granted === undefined ? {} : { permissions_granted }),
        ...(desktop === null ? {} : desktop),
        ...(problem === undefined ? {} : { problem }),
      },
      capabilities: desktop?.capabilities,
      problem: problem?.code,
    };
  } catch {
    const desktop = `not known within ${LOOK_LIMIT_MS} ms`;
    if (!isFound) return { told: { desktop }, capabilities: undefined };
    // The user's own is not worked on without a word.
    return { told: { desktop, display, found: true }, capabilities: undefined };
  }
}

/** Whether there is no session of that name; not so where that cannot be told. Makes none. */
export async function hasNoSession(calls: Pick<DeskCalls, 'answer' | 'session'>): Promise<boolean> {
  const limit = AbortSignal.timeout(LOOK_LIMIT_MS);
  try {
    await calls.answer('session info', { name: calls.session }, { signal: limit });
    return false;
  } catch (error) {
    return error instanceof DeskterityError && error.code === 'SESSION_NOT_FOUND';
  }
}
