import { z } from 'zod';
import { defineClientVerb, flag, timeout } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['daemon', 'restart'],
  group: 'sessions',
  destructive: true,
  summary: 'End the daemon with its private desktops and start it anew.',
  description: 'Also the way to replace a busy daemon of another version.',
  input: z.object({
    force: flag('Kill the process when it is not gone in time.'),
    timeout_ms: timeout(10_000),
  }),
  examples: [
    { about: 'After an update', input: {} },
    { about: 'Although it does not answer', input: { force: true } },
  ],
});
