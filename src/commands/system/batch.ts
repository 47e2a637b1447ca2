import { z } from 'zod';
import { defineClientVerb, flag } from '../../registry/define.ts';

export default defineClientVerb({
  name: 'batch',
  group: 'system',
  summary: 'Run many commands over one connection: JSON lines in, JSON lines out.',
  description:
    'A line on standard input is {"command":"click","input":{"ref":"@e2"}} or {"args":["click","@e2"]}, with "session" and "id" if wanted. ' +
    'Each is answered by one line, in order, before the next is read, so that a program can talk to it. A line that makes no sense is answered with INVALID_ARGUMENT. ' +
    'The exit code is that of the first line that did not end with 0.',
  input: z.object({
    stop_on_error: flag(
      'End at the first line that does not end with exit code 0; "is" answering no is one.',
    ),
  }),
  examples: [
    { about: 'Answer the lines of a program or file', input: {} },
    { about: 'Go no further than the first failure', input: { stop_on_error: true } },
  ],
});
