import { z } from 'zod';
import { defineClientVerb } from '../../registry/define.ts';

export default defineClientVerb({
  name: 'completion',
  group: 'system',
  summary: 'Print the script that completes commands, flags, applications and references in a shell.',
  description:
    'Save it where the shell reads completions, or load it from the start-up file. Applications and references are completed only if the daemon is running.',
  input: z.object({
    shell: z.enum(['bash', 'zsh', 'fish', 'powershell']).describe('The shell to complete in.'),
  }),
  positionals: ['shell'],
  examples: [
    { about: 'Print the script for bash', input: { shell: 'bash' } },
    { about: 'Print the script for zsh', input: { shell: 'zsh' } },
  ],
});
