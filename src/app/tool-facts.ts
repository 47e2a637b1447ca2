import { z } from 'zod';
import { once } from '../model/once.ts';
import { isRecord } from '../model/is-record.ts';
import { DRY_RUN_KEY } from '../registry/dry-run/takes-dry-run.ts';
import { parameterFacts, parameterLabel } from '../registry/parameter-facts.ts';
import type { RegisteredCommand } from '../registry/registry.ts';
import { requestAbout } from '../registry/wrappers/apply-policy.ts';
import type { PolicyRequest } from '../model/policy/verdict.ts';

/** A JSON Schema as data. */
export type Schema = Record<string, z.core.util.JSONType>;

/** A command as MCP presents it. */
export interface ToolFacts {
  readonly command: string;
  readonly tool: string;
  /** A few words for people. */
  readonly title: string;
  /** Spelled for the command line. */
  readonly description: string;
  /** The part of the description that comes from a tool file; empty for built-in commands. */
  readonly foreignSummary: string;
  readonly inputSchema: Schema;
  /** It is a tool of another MCP server: its parameters are that server's, passed on as they are. */
  readonly isForeign: boolean;
  /** Names and types of the top level, none required: short, and also true for failures. */
  readonly outputSchema: Schema;
  readonly isReadOnly: boolean;
  /** What a caller must be permitted: to read, to act on applications, or to change Deskterity, the desktop and the machine. */
  readonly access: 'read' | 'act' | 'admin';
  readonly isDestructive: boolean;
  readonly isIdempotent: boolean;
  readonly toolsets: readonly string[];
  readonly needs: readonly string[];
  /** Input key that names a picture file; not part of {@link inputSchema}. */
  readonly pictureFile: string | undefined;
  /** Input key that only people may use; not part of {@link inputSchema}. */
  readonly peopleOnly: string | undefined;
  /** Commands that it may run as steps although the client is not offered them. */
  readonly alsoRuns: readonly string[];
  /** A call may take long. `operation`: it starts an operation, which ends even if this process does before. */
  readonly longRunning: 'call' | 'operation' | undefined;
  /** Input key that makes a tool that reads do more. */
  readonly beyondReading: string | undefined;
  /** What the policy is asked about a call of it; `undefined` for what is always possible. */
  readonly asks: PolicyRequest | undefined;
  /** The same with {@link beyondReading}. */
  readonly asksBeyond: PolicyRequest | undefined;
  /** Input keys with their names in command-line messages: `max_depth` and `--max-depth`. */
  readonly labels: readonly { readonly key: string; readonly label: string }[];
}

const known = new WeakMap<RegisteredCommand, ToolFacts>();

/** `undefined` for a command without a tool. Facts are cached; texts and schemas are read on first use, because all of them cost 40 ms and need every command to be loaded. */
export function toolFacts(command: RegisteredCommand): ToolFacts | undefined {
  const { toolName } = command;
  if (toolName === undefined) return undefined;
  const facts = known.get(command) ?? describe(command, toolName);
  known.set(command, facts);
  return facts;
}

function describe(command: RegisteredCommand, tool: string): ToolFacts {
  const { definition, name } = command;
  const { kind, pictureFile, peopleOnly, beyondReading } = definition;
  const isReadOnly = kind === 'read' || definition.isReadOnly === true;
  const input = once(() =>
    definition.foreignInput === undefined
      ? inputSchema(command, [pictureFile, peopleOnly])
      : foreignSchema(definition.foreignInput),
  );
  const output = once(() => flatSchema(command.definition.output, pictureFile));
  const labels = once(() =>
    parameterFacts(command).map((facts) => ({ key: facts.key, label: parameterLabel(facts) })),
  );
  return {
    command: name,
    tool,
    title: definition.title ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`,
    get description() {
      const { summary, description = '' } = definition;
      return description === '' ? summary : `${summary} ${description}`;
    },
    get foreignSummary() {
      return definition.isOfToolFile === true ? definition.summary : '';
    },
    get inputSchema() {
      return input();
    },
    get outputSchema() {
      return output();
    },
    get isForeign() {
      return definition.foreignInput !== undefined;
    },
    isReadOnly,
    access: accessOf(definition, name, isReadOnly),
    isDestructive: definition.destructive === true,
    isIdempotent: isReadOnly || definition.idempotent === true,
    toolsets: definition.toolsets ?? [],
    needs: definition.needs ?? [],
    pictureFile,
    peopleOnly,
    alsoRuns: definition.alsoRuns ?? [],
    longRunning: definition.longRunning,
    beyondReading,
    asks: requestAbout(command),
    asksBeyond: requestAbout(command, beyondReading === undefined ? undefined : { [beyondReading]: true }),
    get labels() {
      return labels();
    },
  };
}

/** Also reading about sessions, operations and terminals is for those who may use all of them: the answers show what others do. */
function accessOf(
  { kind, group }: Pick<RegisteredCommand['definition'], 'kind' | 'group'>,
  name: string,
  isReadOnly: boolean,
): ToolFacts['access'] {
  if (kind === 'act' || kind === 'input') return isReadOnly ? 'read' : 'act';
  const showsOthers = group === 'sessions' || group === 'terminals' || name.startsWith('operation ');
  return isReadOnly && !showsOthers ? 'read' : 'admin';
}

function inputSchema(command: RegisteredCommand, hidden: readonly (string | undefined)[]): Schema {
  const { properties, required } = toSchema(command.input);
  const shown = Object.entries(isSchema(properties) ? properties : {})
    .filter(([key]) => !hidden.includes(key))
    .map(([key, property]) => [key, isSchema(property) ? concise(key, property) : property]);
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  };
}

function foreignSchema(schema: Readonly<Record<string, unknown>>): Schema {
  const copy: Schema = JSON.parse(JSON.stringify(schema));
  return copy;
}

/** Bounds are named by the command when a value is outside them. */
const UNSAID = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern']);

/** Their names say everything; a default tells how long, and many tools have `dry_run`. */
const SELF_EXPLAINING = new Set(['timeout_ms', DRY_RUN_KEY]);

/** Drops what goes without saying, because every list of tools sends each token. The command still validates everything. */
function concise(key: string, property: Schema): Schema {
  const { type, description, default: usual, ...others } = property;
  const kept = Object.entries(others)
    .filter(([name]) => !UNSAID.has(name))
    .map(([name, value]) => [name, name === 'items' && isSchema(value) ? conciseItem(value) : value]);
  return {
    ...(type === undefined ? {} : { type }),
    ...Object.fromEntries(kept),
    ...(usual === undefined || isNothing(usual) ? {} : { default: usual }),
    ...(description === undefined || SELF_EXPLAINING.has(key) ? {} : { description }),
  };
}

/** An item of a list. The command names a key that it does not accept. */
function conciseItem(schema: Schema): Schema {
  const { properties, ...item } = schema;
  delete item['additionalProperties'];
  if (!isSchema(properties)) return item;
  const inside = Object.entries(properties).map(([key, property]) => [
    key,
    isSchema(property) ? concise(key, property) : property,
  ]);
  return { ...item, properties: Object.fromEntries(inside) };
}

/** A default that changes nothing: the same as leaving the parameter out. */
function isNothing(value: z.core.util.JSONType): boolean {
  return value === false || value === 0 || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Names and types of the top level of an output. */
export function flatSchema(output: z.ZodType, hidden?: string): Schema {
  const schema = toSchema(output);
  const root = resolve(schema, schema['$defs']);
  const properties = isSchema(root['properties']) ? root['properties'] : {};
  const flat = Object.entries(properties)
    .filter(([key]) => key !== hidden)
    .map(([key, property]): [string, Schema] => [key, typesOnly(property, schema['$defs'])]);
  return { type: 'object', properties: Object.fromEntries(flat) };
}

function resolve(schema: Schema, definitions: unknown): Schema {
  const reference = schema['$ref'];
  const name = typeof reference === 'string' ? /^#\/\$defs\/(.+)$/.exec(reference)?.[1] : undefined;
  const target = name !== undefined && isSchema(definitions) ? definitions[name] : undefined;
  return isSchema(target) ? target : schema;
}

/** Uses `anyOf`, because some clients do not support a list of types; an empty schema, which allows everything, for unknown types. */
function typesOnly(property: Schema[string] | undefined, definitions: unknown): Schema {
  const types = [...new Set(typesOf(property, definitions))].map((type) => ({ type }));
  const [only, ...more] = types;
  if (only === undefined) return {};
  return more.length === 0 ? only : { anyOf: types };
}

/** Empty if one branch is unknown, because naming only the others would forbid it. */
function typesOf(property: Schema[string] | undefined, definitions: unknown): readonly string[] {
  if (!isSchema(property)) return [];
  const { type, anyOf } = resolve(property, definitions);
  if (typeof type === 'string') return [type];
  if (!Array.isArray(anyOf)) return [];
  const branches = anyOf.map((branch) => typesOf(branch, definitions));
  return branches.some((types) => types.length === 0) ? [] : branches.flat();
}

function toSchema(type: z.ZodType): Schema {
  const made = z.toJSONSchema(type, {
    io: 'input',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // zod adds these bounds to every integer; they carry no information.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // Nor does this, which it adds to every object that may have any keys.
      if (isEmpty(jsonSchema.additionalProperties)) {
        delete jsonSchema.additionalProperties;
        delete jsonSchema.propertyNames;
      }
    },
  });
  const schema: Schema = JSON.parse(JSON.stringify(made));
  return schema;
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function isSchema(value: unknown): value is Schema {
  return isRecord(value);
}
