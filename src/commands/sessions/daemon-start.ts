import { z } from 'zod';
import { defineClientVerb } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['daemon', 'start'],
  group: 'sessions',
  idempotent: true,
  summary: 'Start the daemon, or say that it runs.',
  description:
    'Never needed: the first command starts it. Answers with its process id, version and socket. It leaves by itself when it has nothing to do (setting daemon.idle_timeout_ms).',
  input: z.object({}),
  examples: [{ about: 'Have it ready before the first command', input: {} }],
});
