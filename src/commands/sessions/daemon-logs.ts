import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { defineClientVerb, flag } from '../../registry/define.ts';

export default defineClientVerb({
  name: ['daemon', 'logs'],
  group: 'sessions',
  idempotent: true,
  summary: 'Show the last lines of today’s log.',
  description: `JSON lines with ${mentionParameter('format', 'json')}, one after the other with ${mentionParameter('follow')}; the lines themselves with ${mentionParameter('format')} text. The log says what was called, how it ended and how long it took, never what was typed or shown.`,
  input: z.object({
    lines: z.int().min(1).max(10_000).default(50).describe('How many lines to show.'),
    follow: flag('Keep printing what is added, until interrupted.'),
  }),
  examples: [
    { about: 'What happened last', input: {}, format: 'text' },
    { about: 'Watch it work', input: { follow: true, lines: 10 } },
  ],
});
