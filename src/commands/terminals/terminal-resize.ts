import { ResizeRequest } from '../../model/terminals/terminal-requests.ts';
import { defineCommand, onTerminals, terminalAnswerParts } from '../../registry/define.ts';

export default defineCommand({
  name: ['terminal', 'resize'],
  group: 'terminals',
  kind: 'admin',
  surfaces: ['cli', 'library'],
  idempotent: true,
  summary: 'Change the size of a terminal.',
  description: 'Programs in it are notified. A dimension not given stays the same.',
  input: ResizeRequest,
  ...terminalAnswerParts,
  examples: [
    { about: 'Wide enough for a table', input: { columns: 200, rows: 50 } },
    { about: 'Taller', input: { rows: 100 } },
  ],
  run: onTerminals('resize'),
});
