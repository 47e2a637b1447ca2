import { z } from 'zod';
import { defineClientVerb } from '../../registry/define.ts';

export default defineClientVerb({
  name: 'guide',
  group: 'system',
  summary: 'Print one page that tells a model how to look, act, and read the answers.',
  description:
    'Plain text of at most a thousand tokens. MCP clients get the same in the instructions of the server.',
  input: z.object({}),
  examples: [{ about: 'What to read first', input: {} }],
});
