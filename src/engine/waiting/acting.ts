import type { CallOptions } from '../../ports/call-options.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { waitFor } from '../wait.ts';

/** Waits until acts are allowed: nobody has stopped them, and no person has taken over. */
export async function waitUntilActing(parts: EngineParts, request: CallOptions): Promise<void> {
  const { deadlineMs, signal } = request;
  let seen = '';
  const what = 'Acts were not allowed again';
  await waitFor(parts, { deadlineMs, signal, what, lastSeen: () => seen }, async (remainingMs) => {
    const options = liveDeadline({ deadlineMs: remainingMs, signal }, parts.clock);
    const { stopped, takeover, since = '' } = await parts.desktop.stopSwitch.state(options);
    seen = takeover === true ? `taken over by a person since ${since}` : `stopped since ${since}`;
    return stopped ? undefined : true;
  });
}
