/** `lost`: its holder ended without recording the result. Separate from the record, so that the holder needs no zod. */
export const OPERATION_STATUSES = [
  'starting',
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
  'lost',
] as const;

export function isOver(status: (typeof OPERATION_STATUSES)[number]): boolean {
  return status !== 'starting' && status !== 'running';
}
