/** Concurrently watched resources; each costs a subscription and occasional reads. */
export const WATCH_LIMITS = {
  /** Per client, and per subscription. */
  client: 64,
  /** For all HTTP clients without sessions on one path. */
  principal: 256,
};
