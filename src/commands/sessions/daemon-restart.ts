import { z } from 'zod';
import { defineClientVerb, flag, timeout } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['daemon', 'restart'],
  group: 'sessions',
  destructive: true,
  summary: 'Stop the daemon and its private desktops, and start it again.',
  description: 'Also replaces a busy daemon of another version.',
  input: z.object({
    force: flag('Kill the process if it does not exit in time.'),
    timeout_ms: timeout(10_000),
  }),
  examples: [
    { about: 'After an update', input: {} },
    { about: 'Even if it does not respond', input: { force: true } },
  ],
});
