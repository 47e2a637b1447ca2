import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { parseGivenJson } from '../../../model/given-json.ts';
import { isRecord } from '../../../model/is-record.ts';
import { FROM_INPUT } from './json-list.ts';
import { listOf, stepFrom, type ParseStep } from './lists.ts';
import type { ManifestCommand } from './manifest.ts';
import type { GivenInput } from './secret-flags.ts';
import { readText, type SecretSources } from './secrets.ts';
import { UsageError } from './usage-error.ts';

const LARGEST_BYTES = 1024 * 1024;

/**
 * The input with what the named file, or standard input, has: the steps of a workflow, and other parameters, which flags override.
 * @throws UsageError if it cannot be read or is not such a file
 */
export async function withFile(
  command: ManifestCommand,
  given: GivenInput,
  sources: SecretSources,
  parse: ParseStep,
): Promise<{ readonly input: GivenInput; readonly sources: SecretSources }> {
  const list = listOf(command);
  const name = list?.bare === 'file' ? given[list.key] : undefined;
  if (list === undefined || typeof name !== 'string') return { input: given, sources };
  const isInput = name === FROM_INPUT;
  const text = isInput ? await readText(command.name, sources) : await readFile(command.name, name);
  const document = documentFrom(command, text, isInput ? 'Standard input' : `The file ${shown(name)}`);
  const { $schema: _, [list.key]: steps, ...others } = document;
  if (!Array.isArray(steps))
    throw new UsageError(
      command.name,
      `${isInput ? 'Standard input' : `The file ${shown(name)}`} has no list "${list.key}".`,
      FORM,
    );
  return {
    input: {
      ...others,
      ...given,
      [list.key]: steps.map((step: unknown) =>
        typeof step === 'string' ? stepFrom(command, step, parse) : step,
      ),
    },
    sources: isInput
      ? { ...sources, stdin: undefined, stdinUse: 'Standard input holds the workflow.' }
      : sources,
  };
}

const FORM = 'Write {"steps": [{"command": "click", "input": {"ref": "role:button[name=OK]"}}]}.';

function documentFrom(
  command: ManifestCommand,
  text: string,
  source: string,
): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseGivenJson(text);
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message.slice(0, 120)}` : '';
    throw new UsageError(command.name, `${source} is not JSON that can be used${why}.`, FORM);
  }
  if (Array.isArray(value)) return { steps: value };
  if (isRecord(value)) return value;
  throw new UsageError(command.name, `${source} is not a JSON object.`, FORM);
}

async function readFile(command: string, name: string): Promise<string> {
  try {
    // Without O_NONBLOCK, opening a named pipe blocks, and the program cannot even be ended.
    const file = await open(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw unreadable(command, name, 'it is not a regular file');
      if (facts.size > LARGEST_BYTES)
        throw unreadable(command, name, `it is larger than ${LARGEST_BYTES} bytes`);
      return new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw unreadable(command, name, REASONS[code] ?? (code === '' ? 'it could not be read' : code));
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'its permissions forbid it',
  EISDIR: 'it is a folder',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

function unreadable(command: string, name: string, why: string): UsageError {
  return new UsageError(
    command,
    `The file ${shown(name)} cannot be read: ${why}.`,
    `Give the path of a JSON file, or ${FROM_INPUT} for standard input.`,
  );
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
