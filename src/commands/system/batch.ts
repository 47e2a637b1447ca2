import { z } from 'zod';
import { defineClientVerb, flag } from '../../registry/define.ts';

export default defineClientVerb({
  name: 'batch',
  group: 'system',
  summary: 'Run many commands over one connection: JSON lines in, JSON lines out.',
  description:
    'A line on standard input is {"command":"click","input":{"ref":"@e2"}} or {"args":["click","@e2"]}, optionally with "session" and "id". ' +
    'Each line is answered by one line before the next is read, so a program can react to every answer. An invalid line is answered with INVALID_ARGUMENT. ' +
    'The exit code is the first one that is not 0.',
  input: z.object({
    stop_on_error: flag('Stop at the first line whose exit code is not 0, such as "is" answering no.'),
  }),
  examples: [
    { about: 'Answer the lines of a program or file', input: {} },
    { about: 'Stop at the first failure', input: { stop_on_error: true } },
  ],
});
