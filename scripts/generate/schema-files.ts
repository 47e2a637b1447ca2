import { z } from 'zod';
import { commands } from '../../src/commands/index.generated.ts';
import { ENVELOPE_VERSION } from '../../src/model/effects/envelope.ts';
import { ErrorBody } from '../../src/model/effects/error-body.ts';
import { ERROR_EXIT_CODES } from '../../src/model/effects/errors.ts';
import { OutputNode } from '../../src/model/tree/node.ts';
import { FinishedCommand } from '../../src/model/terminals/finished-command.ts';
import { FinishedOperation } from '../../src/model/tools/operation-answer.ts';
import { ToolFile } from '../../src/model/tools/tool-file.ts';
import { isRecord } from '../../src/model/is-record.ts';
import { commandLineSpeller } from '../../src/registry/command-line-speller.ts';
import { spellMentionsIn } from '../../src/model/text/mention.ts';
import { createRegistry, type RegisteredCommand } from '../../src/registry/registry.ts';

type Schema = Record<string, unknown>;

/**
 * The folder `schemas/` of the package, by file name: two JSON Schemas (draft 2020-12) for each command, one for failures, one for elements, one for
 * tool files. The build writes it; tests/pins records its keys and types.
 */
export function schemaFiles(): [string, string][] {
  const registry = createRegistry(commands);
  const answered = registry.commands.filter(({ definition }) => definition.runsIn !== 'client');
  const files = answered.flatMap((command): [string, Schema][] => {
    const stem = command.name.replaceAll(' ', '-');
    return [
      [`${stem}.input`, inputSchema(command)],
      [`${stem}.output`, outputSchema(command)],
    ];
  });
  const all: [string, Schema][] = [
    ...files,
    ['error', errorSchema()],
    ['node', toSchema(OutputNode)],
    ['tool-file', toSchema(ToolFile)],
  ];
  const speller = commandLineSpeller(registry);
  return all.map(([stem, schema]) => [`${stem}.json`, toText(stem, spellMentionsIn(schema, speller))]);
}

function inputSchema(command: RegisteredCommand): Schema {
  return {
    title: `Input of ${command.name}`,
    description: command.definition.summary,
    ...toSchema(command.input),
  };
}

/** The success envelope; readers must expect further keys in later versions. */
function outputSchema(command: RegisteredCommand): Schema {
  const { properties, required, $defs, ...others } = withoutRootReference(
    toSchema(command.definition.output),
  );
  const isObject = others['type'] === 'object' && typeof properties === 'object';
  if (!isObject) throw new Error(`The output of ${command.name} is not an object.`);
  const taken = Object.keys(properties ?? {}).filter((key) =>
    [
      'version',
      'ok',
      'command',
      'error',
      'private_desktop',
      'finished_operations',
      'finished_commands',
    ].includes(key),
  );
  if (taken.length > 0)
    throw new Error(`The output of ${command.name} uses the envelope's own key ${taken.join(', ')}.`);
  return {
    title: `Answer of ${command.name}`,
    type: 'object',
    properties: {
      version: { const: ENVELOPE_VERSION },
      ok: { const: true },
      command: { const: command.name },
      private_desktop: {
        type: 'string',
        description: 'Display (":7") of the desktop, if Deskterity chose or started it.',
      },
      finished_operations: {
        type: 'array',
        items: toSchema(FinishedOperation),
        description: 'Operations of this session that ended since its last answer.',
      },
      finished_commands: {
        type: 'array',
        items: toSchema(FinishedCommand),
        description: 'Background commands of this session in terminals that ended since its last answer.',
      },
      ...properties,
    },
    required: ['version', 'ok', 'command', ...(Array.isArray(required) ? required : [])],
    ...(others['oneOf'] === undefined ? {} : { oneOf: others['oneOf'] }),
    ...($defs === undefined ? {} : { $defs }),
  };
}

/** A named type at the root is written as a reference to its definition, but the envelope needs its members. */
function withoutRootReference(schema: Schema): Schema {
  const name = typeof schema['$ref'] === 'string' ? /^#\/\$defs\/(.+)$/.exec(schema['$ref'])?.[1] : undefined;
  const definitions = schema['$defs'];
  if (name === undefined || !isRecord(definitions)) return schema;
  const { [name]: root, ...others } = definitions;
  if (!isRecord(root)) return schema;
  const { id: _, ...members } = root;
  return Object.keys(others).length === 0 ? members : { ...members, $defs: others };
}

function errorSchema(): Schema {
  const { properties, ...body } = toSchema(ErrorBody);
  const codes = { type: 'string', enum: Object.keys(ERROR_EXIT_CODES) };
  return {
    title: 'Failure of any command',
    type: 'object',
    properties: {
      version: { const: ENVELOPE_VERSION },
      ok: { const: false },
      command: { type: 'string', description: 'The requested command, known or not.' },
      error: { ...body, properties: { ...(isRecord(properties) ? properties : {}), code: codes } },
    },
    required: ['version', 'ok', 'command', 'error'],
  };
}

/** As a writer of the data sees it: additional keys are allowed unless the definition forbids them. */
function toSchema(type: z.ZodType): Schema {
  const {
    $schema: _,
    id: __,
    ...schema
  } = z.toJSONSchema(type, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // Every integer has these bounds, so they carry no information.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return schema;
}

function toText(stem: string, schema: Schema): string {
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:deskterity:${ENVELOPE_VERSION}:${stem}`,
  };
  return `${JSON.stringify({ ...head, ...schema }, undefined, 2)}\n`;
}
