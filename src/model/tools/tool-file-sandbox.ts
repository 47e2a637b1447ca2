import { z } from 'zod';
import { SANDBOX_NAMES } from './confinement.ts';

/** The sandbox that a tool may ask for in the place of the usual one. */
const [, PROFILE] = SANDBOX_NAMES;

const Places = z.array(z.string().min(1).max(4096)).max(200);

const VariableName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, such as CARGO_HOME');

/** What a tool needs beyond its scope. Everything is closed unless it is asked for here, in a file that the user trusts. */
export const SandboxNeeds = z
  .strictObject({
    read: Places.optional().describe(
      'Files and folders that may be read and executed beside the scope and the system. Absolute, or from the home with "~" or "$HOME", which mean your real home, or from the scope. What is not there is left out.',
    ),
    write: Places.optional().describe('Files and folders that may also be written; paths as in "read".'),
    network: z.boolean().optional().describe('IPv4 and IPv6 sockets. Default: false.'),
    unix_sockets: z
      .boolean()
      .optional()
      .describe(
        'Sockets with a path or an abstract name: session bus, display server, agents, container daemons. Whoever reaches them may reach out of the sandbox. Default: false.',
      ),
    scope: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe(
        'A folder inside the scope that the tool is kept to, such as "packages/app". It can only be narrower.',
      ),
    deny_report: z
      .boolean()
      .optional()
      .describe(
        'Lists each access that was denied, when the command fails. Costs 30 to 50 µs per opened file. Default: false.',
      ),
    profile: z
      .literal(PROFILE)
      .optional()
      .describe(
        `Runs it with ${PROFILE}, which also keeps it from changing permissions outside. Default: the usual sandbox.`,
      ),
    environment: z
      .strictObject({
        pass: z
          .array(VariableName)
          .max(200)
          .optional()
          .describe(
            'Variables of yours that the command gets although they may hold secrets, such as GH_TOKEN.',
          ),
        set: z
          .record(VariableName, z.string().max(8192))
          .optional()
          .describe(
            'Variables with their values. "~" at the beginning and "$HOME" anywhere in a value are your real home; HOME itself is a folder made for the scope.',
          ),
      })
      .optional()
      .describe('Variables beside those that every command gets.'),
  })
  .meta({ id: 'SandboxNeeds', description: 'What the command may reach beyond its scope.' });
export type SandboxNeeds = z.output<typeof SandboxNeeds>;
