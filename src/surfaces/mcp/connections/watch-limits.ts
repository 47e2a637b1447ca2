/** Resources that may be watched at once; each one costs listening and now and then a reading. */
export const WATCH_LIMITS = {
  /** By one client, and by one stream of changes. */
  client: 64,
  /** By all HTTP clients without sessions on one path together. */
  principal: 256,
} as const;
