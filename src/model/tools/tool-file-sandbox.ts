import { z } from 'zod';
import { SANDBOX_NAMES } from './confinement.ts';
import { optionalFlag } from './tool-file-parameters.ts';

/** The sandbox that a tool may request instead of the usual one. */
const [, PROFILE] = SANDBOX_NAMES;

const Places = z.array(z.string().min(1).max(4096)).max(200);

const VariableName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, such as CARGO_HOME');

/** What a tool needs beyond its scope. Everything is denied unless it is requested here, in a file that the user trusts. */
export const SandboxNeeds = z
  .strictObject({
    read: Places.optional().describe(
      'Files and folders that may be read and executed in addition to the scope and the system. Paths are absolute, below your real home ("~" or "$HOME"), or relative to the scope. Missing ones are ignored.',
    ),
    write: Places.optional().describe('Files and folders that may also be written; paths as in "read".'),
    network: optionalFlag('IPv4 and IPv6 sockets. Default: false.'),
    unix_sockets: optionalFlag(
      'Sockets with a path or an abstract name: session bus, display server, agents, container daemons. They may allow leaving the sandbox. Default: false.',
    ),
    scope: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('A folder inside the scope that the tool is confined to, such as "packages/app".'),
    deny_report: optionalFlag(
      'List each denied access if the command fails. Costs 30 to 50 µs per opened file. Default: false.',
    ),
    profile: z
      .literal(PROFILE)
      .optional()
      .describe(
        `Run it with ${PROFILE}, which also prevents changing permissions outside. Default: the usual sandbox.`,
      ),
    environment: z
      .strictObject({
        pass: z
          .array(VariableName)
          .max(200)
          .optional()
          .describe(
            'Your variables that the command receives although they may contain secrets, such as GH_TOKEN.',
          ),
        set: z
          .record(VariableName, z.string().max(8192))
          .optional()
          .describe(
            'Variables with their values. "~" at the beginning and "$HOME" anywhere in a value are your real home; HOME itself is a folder made for the scope.',
          ),
      })
      .optional()
      .describe('Variables in addition to those that every command gets.'),
  })
  .meta({ id: 'SandboxNeeds', description: 'What the command may reach beyond its scope.' });
export type SandboxNeeds = z.output<typeof SandboxNeeds>;
