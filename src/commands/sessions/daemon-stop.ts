import { z } from 'zod';
import { defineClientVerb, flag, timeout } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['daemon', 'stop'],
  group: 'sessions',
  idempotent: true,
  destructive: true,
  summary: 'Stop the daemon and its private desktops, and wait until it has exited.',
  description:
    'Running calls get a moment to end, then are cancelled. Also works for a daemon of another version. Sessions keep their references. Succeeds if no daemon is running.',
  input: z.object({
    force: flag('Kill the process if it does not exit in time.'),
    timeout_ms: timeout(10_000),
  }),
  examples: [
    { about: 'Stop it', input: {} },
    { about: 'Stop it even if it does not respond', input: { force: true, timeout_ms: 3000 } },
  ],
});
