import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { z } from 'zod';
import { ROOT } from '../../program-copy.ts';
import { textOf } from './mcp-client.ts';

const Schema = z.record(z.string(), z.json());
const Published = z.looseObject({ properties: Schema, required: z.array(z.string()) });
/** Keys of the envelope, which answers of tools do not have. */
const ENVELOPE: ReadonlySet<string> = new Set(['version', 'ok', 'command']);
/** Answers of tools contain the picture itself and name no file. */
const PICTURE_FILE = 'path';

const validator = new AjvJsonSchemaValidator();

/** What is wrong with `data`, in one line; `undefined` if nothing is. */
export function fault(schema: z.output<typeof Schema>, data: unknown): string | undefined {
  const checked = validator.getValidator(schema)(data);
  return checked.valid ? undefined : checked.errorMessage;
}

/** The published schema of a command's answer without its envelope, made to refuse unknown keys. */
export async function publishedAnswer(command: string): Promise<z.output<typeof Schema>> {
  const text = await readFile(join(ROOT, 'schemas', `${command.replace(' ', '-')}.output.json`), 'utf8');
  const { properties, required, ...rest } = Published.parse(JSON.parse(text));
  const isOurs = (key: string): boolean => !ENVELOPE.has(key) && key !== PICTURE_FILE;
  return Schema.parse({
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => isOurs(key))),
    required: required.filter((key) => isOurs(key)),
    additionalProperties: false,
  });
}

/** The published schema of the `error` of a failure. */
export async function publishedError(): Promise<z.output<typeof Schema>> {
  const all = Published.parse(JSON.parse(await readFile(join(ROOT, 'schemas', 'error.json'), 'utf8')));
  return Schema.parse(all.properties['error']);
}

/** The tool's structured content. @throws Error unless it matches the tool's schema */
export function promised(tool: Tool, result: CallToolResult): unknown {
  const { structuredContent } = result;
  if (structuredContent === undefined || tool.outputSchema === undefined)
    throw new Error(`${tool.name} has no data or no schema for it: ${textOf(result)}`);
  const wrong = fault(Schema.parse(tool.outputSchema), structuredContent);
  if (wrong !== undefined) throw new Error(`${tool.name} breaks its schema: ${wrong}`);
  return structuredContent;
}
