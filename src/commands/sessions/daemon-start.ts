import { z } from 'zod';
import { defineClientVerb } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['daemon', 'start'],
  group: 'sessions',
  idempotent: true,
  summary: 'Start the daemon, or report that it is running.',
  description:
    'Optional: the first command starts it. Returns process id, version and socket. The daemon exits when idle (setting daemon.idle_timeout_ms).',
  input: z.object({}),
  examples: [{ about: 'Have it ready before the first command', input: {} }],
});
