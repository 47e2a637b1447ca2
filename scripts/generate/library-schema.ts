import { z } from 'zod';
import { Bounds } from '../../src/model/tree/bounds.ts';
import { Change, Effect } from '../../src/model/effects/effect.ts';
import { Candidate } from '../../src/model/effects/error-body.ts';
import { Mode } from '../../src/model/effects/mode.ts';
import { SessionSummary } from '../../src/model/sessions/session-summary.ts';
import { TerminalAnswer } from '../../src/model/terminals/terminal-answer.ts';
import { OperationAnswer, OperationSummary } from '../../src/model/tools/operation-answer.ts';
import { ROLES } from '../../src/model/tree/role.ts';
import { STATES } from '../../src/model/tree/state.ts';
import { StopReport } from '../../src/registry/define.ts';

/** The part of JSON Schema that zod writes for our definitions. */
export interface Schema {
  /** Our addition: the string is a reference such as @e7, or may also be a locator. */
  readonly handle?: 'Ref' | 'Target' | undefined;
  readonly $ref?: string | undefined;
  readonly $defs?: Readonly<Record<string, Schema>> | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | Schema | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

const SchemaText: z.ZodType<Schema> = z.object({
  handle: z.enum(['Ref', 'Target']).optional(),
  $ref: z.string().optional(),
  get $defs() {
    return z.record(z.string(), SchemaText).optional();
  },
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get properties() {
    return z.record(z.string(), SchemaText).optional();
  },
  required: z.array(z.string()).optional(),
  get additionalProperties() {
    return z.union([z.boolean(), SchemaText]).optional();
  },
  get items() {
    return SchemaText.optional();
  },
  get anyOf() {
    return z.array(SchemaText).optional();
  },
  get oneOf() {
    return z.array(SchemaText).optional();
  },
  get allOf() {
    return z.array(SchemaText).optional();
  },
  description: z.string().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** What a caller sends (`input`: defaults may be left out) or receives (`output`). */
export function librarySchema(type: z.ZodType, io: 'input' | 'output'): Schema {
  const json = z.toJSONSchema(type, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      if (jsonSchema.type === 'string' && isHandle(zodSchema))
        jsonSchema['handle'] = z.safeParse(zodSchema, 'role:button').success ? 'Target' : 'Ref';
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return SchemaText.parse(json);
}

/** The members of a union; `undefined` for anything else, including an object with rules about which keys go together. */
export function optionsOf({ anyOf, oneOf, type, ...schema }: Schema): readonly Schema[] | undefined {
  if (schema.properties !== undefined) return undefined;
  if (typeof type === 'object') return type.map((one) => ({ ...schema, type: one }));
  return anyOf ?? oneOf;
}

/** Whether a schema accepts references but not any string. */
function isHandle(schema: z.core.$ZodType): boolean {
  return z.safeParse(schema, '@e7').success && !z.safeParse(schema, 'no reference').success;
}

/** Types without an id in the model; every schema of the same form gets the name. */
const WELL_KNOWN: readonly (readonly [string, string, z.ZodType])[] = [
  ['Bounds', 'A rectangle in physical screen pixels; `x`, `y` is the top-left corner.', Bounds],
  ['State', 'A state that an element reports while it holds.', z.enum(STATES)],
  ['Role', 'The kind of an element, by its ARIA name.', z.enum(ROLES)],
  ['Effect', 'The effect that an acting command observed.', Effect],
  ['Change', 'One observed difference in the window around an act.', Change],
  ['Candidate', 'A target that the caller may have meant.', Candidate],
  ['Mode', 'What an act may use: only accessibility, the keyboard, or the pointer.', Mode],
];

/** Answers that several commands share; each command still has a type of its own name. */
const SHARED_ANSWERS: readonly (readonly [string, string, z.ZodType])[] = [
  ['OperationSummary', 'The progress of an operation.', OperationSummary],
  ['OperationAnswer', 'The progress of an operation, with its output.', OperationAnswer],
  ['SessionSummary', 'One session.', SessionSummary],
  ['StopReport', 'Whether acting is stopped.', StopReport],
  ['TerminalAnswer', 'The answer of a command about terminals.', TerminalAnswer],
];

/** Names of types: those with an id in the model, and the well-known ones by their form. */
export class TypeNames {
  readonly definitions = new Map<string, Schema>();
  readonly #byForm = new Map<string, string>();

  constructor() {
    for (const [name, description, type] of [...WELL_KNOWN, ...SHARED_ANSWERS]) {
      const schema = { ...librarySchema(type, 'output'), description };
      this.#byForm.set(formOf(schema), name);
      this.definitions.set(name, schema);
    }
  }

  /** Whether several commands return it under their own names. */
  isSharedAnswer(name: string): boolean {
    return SHARED_ANSWERS.some(([shared]) => shared === name);
  }

  /** Adds the named types of a schema. @throws Error when a name stands for two different types */
  learn(schema: Schema): void {
    for (const [name, definition] of Object.entries(schema.$defs ?? {})) {
      const known = this.definitions.get(name);
      if (known !== undefined && formOf(known) !== formOf(definition))
        throw new Error(`Two types are called ${name}.`);
      this.definitions.set(name, known ?? definition);
    }
  }

  nameOf(schema: Schema): string | undefined {
    return referenceName(schema) ?? this.#byForm.get(formOf(schema));
  }

  /** The type itself if the schema only references it. */
  resolve(schema: Schema): Schema {
    const name = referenceName(schema);
    return name === undefined ? schema : (this.definitions.get(name) ?? schema);
  }
}

function referenceName(schema: Schema): string | undefined {
  return schema.$ref === undefined ? undefined : /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1];
}

/** A schema without its descriptions. */
function formOf(schema: Schema): string {
  return JSON.stringify({ ...schema, description: undefined, default: undefined });
}
