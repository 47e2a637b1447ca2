import { expect, it } from 'vitest';
import { schemaFiles } from '../../scripts/generate/schema-files.ts';
import { GLOBAL_FLAGS } from '../../src/surfaces/cli/arguments/globals.ts';
import { manifest } from '../../src/surfaces/cli/arguments/manifest.generated.ts';
import { manual } from '../../src/surfaces/cli/printing/manual.generated.ts';
import { usageOf } from '../../src/surfaces/cli/arguments/usage-line.ts';
import { commands } from '../../src/commands/index.generated.ts';
import { ENVELOPE_VERSION } from '../../src/model/effects/envelope.ts';
import { ERROR_EXIT_CODES } from '../../src/model/effects/errors.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { schemaLines } from './schema-lines.ts';

// The public surface, against literals and files: a change here is a change that users see, and wants a line in the changelog.
// `npx vitest run --project unit tests/pins -u` renews the files, and their diff is what users will see.

it('commands, their tools and aliases', async () => {
  const names = createRegistry(commands).commands.map(({ name, toolName, aliases }) =>
    [name, toolName ?? '-', ...aliases].join(' '),
  );
  await expect(fileOf(names)).toMatchFileSnapshot('commands.txt');
});

it('arguments and flags', async () => {
  const lines = manifest.commands.map((command) =>
    [
      usageOf(command).replace(' [flags]', ''),
      ...command.parameters.flatMap(({ flag, short }) =>
        flag === undefined ? [] : [`--${flag}${short === undefined ? '' : ` -${short}`}`],
      ),
    ].join(' '),
  );
  await expect(fileOf(lines)).toMatchFileSnapshot('command-lines.txt');
});

it('flags of every command', () => {
  expect(GLOBAL_FLAGS.map(({ flag, short }) => (short === undefined ? flag : `${flag} ${short}`))).toEqual([
    'format',
    'json',
    'pretty',
    'pager',
    'session',
    'no-daemon',
    'sandbox-scope',
    'no-sandbox',
    'tools-dir',
    'sync',
    'log-to-stderr',
    'verbose',
    'help h',
    'version V',
  ]);
});

it('choices', async () => {
  const choices = manifest.commands.flatMap(({ name, parameters }) =>
    parameters.flatMap(({ key, values }) =>
      values === undefined ? [] : [`${name} ${key}: ${values.join(' ')}`],
    ),
  );
  await expect(fileOf(choices)).toMatchFileSnapshot('choices.txt');
});

it('error codes and their exit codes', () => {
  expect(ERROR_EXIT_CODES).toEqual({
    PERM_DENIED: 10,
    ELEMENT_NOT_FOUND: 6,
    APP_NOT_FOUND: 6,
    ACTION_FAILED: 4,
    ACTION_NOT_SUPPORTED: 9,
    TREE_TIMEOUT: 7,
    STALE_REF: 8,
    WINDOW_NOT_FOUND: 6,
    PLATFORM_UNSUPPORTED: 11,
    CLIPBOARD_EMPTY: 6,
    TIMEOUT: 7,
    AMBIGUOUS_TARGET: 8,
    AMBIGUOUS_APP: 8,
    INVALID_ARGUMENT: 5,
    NOT_ACTIONABLE: 9,
    APP_UNRESPONSIVE: 3,
    BUS_UNAVAILABLE: 11,
    DISPLAY_UNAVAILABLE: 11,
    DAEMON_UNAVAILABLE: 11,
    SESSION_NOT_FOUND: 6,
    CANCELLED: 1,
    CONFIG_INVALID: 2,
    EXPECTATION_FAILED: 1,
    BUDGET_TOO_SMALL: 5,
    POLICY_DENIED: 10,
    CONFIRMATION_REQUIRED: 10,
    RATE_LIMITED: 10,
    UNAUTHORIZED: 10,
    SANDBOX_UNAVAILABLE: 11,
    OPERATION_NOT_FOUND: 6,
    TERMINAL_NOT_FOUND: 6,
    TERMINAL_BUSY: 11,
    TOOL_NOT_FOUND: 6,
    TOOL_INVALID: 2,
    TOOL_UNTRUSTED: 10,
    SERVER_UNAVAILABLE: 11,
    CONFLICT: 11,
    INTERNAL: 70,
  });
});

it('errors of the command line itself', () => {
  expect(manifest.usageError).toEqual({ code: 'INVALID_ARGUMENT', exitCode: 5 });
  expect(manifest.internalExitCode).toBe(70);
  expect(manual.exitCodes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 70]);
  expect([ENVELOPE_VERSION, manifest.envelopeVersion]).toEqual(['1.0', '1.0']);
});

it('keys and types of all inputs and answers', async () => {
  await expect(fileOf(schemaLines(schemaFiles()))).toMatchFileSnapshot('inputs-and-answers.txt');
});

function fileOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
