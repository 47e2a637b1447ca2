import { z } from 'zod';

/** Something the caller may have meant: an element, application or window. */
export const Candidate = z.object({
  ref: z.string().optional(),
  role: z.string().optional(),
  name: z.string().optional(),
  pid: z.int().optional(),
  detail: z.string().optional(),
});
export type Candidate = z.output<typeof Candidate>;

/** The `error` member of a failed envelope. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  suggestion: z.string(),
  platform_detail: z.string().optional(),
  candidates: z.array(Candidate).optional(),
  retryable: z.boolean(),
  retry_after_ms: z.int().optional(),
  delivered: z.boolean().optional(),
});
export type ErrorBody = z.output<typeof ErrorBody>;
