import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { defineClientVerb, flag } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['daemon', 'logs'],
  group: 'sessions',
  idempotent: true,
  summary: 'Show the last lines of today’s log.',
  description: `${mentionParameter('format', 'json')} prints JSON, or JSON lines with ${mentionParameter('follow')}; ${mentionParameter('format', 'text')} prints plain lines. The log records what was called, how it ended and how long it took, never what was typed or shown.`,
  input: z.object({
    lines: z.int().min(1).max(10_000).default(50).describe('Number of lines to show.'),
    follow: flag('Keep printing new lines until interrupted.'),
  }),
  examples: [
    { about: 'What happened last', input: {}, format: 'text' },
    { about: 'Watch it work', input: { follow: true, lines: 10 } },
  ],
});
