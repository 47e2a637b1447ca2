import { z } from 'zod';
import { ToolFile } from '../../model/tools/tool-file.ts';
import { defineCommand } from '../../registry/define.ts';

export default defineCommand({
  name: ['tools', 'schema'],
  group: 'operations',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  isReadOnly: true,
  summary: 'Print the JSON Schema of tool files.',
  description: 'Editors use it to check and complete tool files.',
  input: z.object({}),
  output: z.object({ schema: z.record(z.string(), z.unknown()) }),
  examples: [{ about: 'Save it for an editor', input: {}, format: 'text' }],
  outline: ({ schema }) => JSON.stringify(schema, undefined, 2),
  page: ({ schema }) => [{ kind: 'verbatim', text: JSON.stringify(schema, undefined, 2) }],
  run: async () => ({ schema: { ...z.toJSONSchema(ToolFile, { io: 'input' }) } }),
});
