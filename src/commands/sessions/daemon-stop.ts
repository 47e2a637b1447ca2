import { z } from 'zod';
import { defineClientVerb, flag, timeout } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['daemon', 'stop'],
  group: 'sessions',
  idempotent: true,
  destructive: true,
  summary: 'End the daemon with its private desktops, and wait until it is gone.',
  description:
    'Calls that are being answered get a moment to end and are then cancelled. Works for a daemon of another version too. References of sessions are kept. No daemon at all is a success.',
  input: z.object({
    force: flag('Kill the process when it is not gone in time.'),
    timeout_ms: timeout(10_000),
  }),
  examples: [
    { about: 'End it', input: {} },
    { about: 'End it although it does not answer', input: { force: true, timeout_ms: 3000 } },
  ],
});
