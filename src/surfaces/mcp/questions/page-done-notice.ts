import type { Server } from '../sdk.ts';

/** Tells a client of 2025-11-25 that what it was shown a page for is done. After the call, there is no stream of its own for it. */
export function pageDoneNotice(server: Pick<Server, 'notification'>): (elicitationId: string) => void {
  return (elicitationId) =>
    void server
      .notification({ method: 'notifications/elicitation/complete', params: { elicitationId } })
      .catch(() => undefined);
}
