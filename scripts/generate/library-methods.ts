import { positionalsFor } from '../../src/model/text/positionals.ts';
import { camelCase } from '../../src/surfaces/library/library-speller.ts';
import type { RegisteredCommand, Registry } from '../../src/registry/registry.ts';
import { librarySchema, type Schema, type TypeNames } from './library-schema.ts';
import { typeText, type Reword } from './library-types.ts';

/** One command as a method of the library. */
export interface LibraryMethod {
  readonly command: RegisteredCommand;
  readonly method: string;
  readonly input: Schema;
  readonly output: Schema;
  readonly inputType: string;
  readonly outputType: string;
  /** The type named after the command, if its answer is a type that others share. */
  readonly outputAlias: string | undefined;
  /** Parameter lists, such as `ref: Ref, options?: …`. */
  readonly overloads: readonly string[];
}

/** Members of Desktop that are not commands; a command of the same name would hide one. */
const TAKEN_METHODS = new Set([
  'close',
  'constructor',
  'inSession',
  'open',
  'openPrivate',
  'sessionName',
  'run',
  'toString',
]);

/** Every command except those that only the command line can carry out. */
export function libraryMethods(
  registry: Registry,
  names: TypeNames,
  reword: Reword,
): readonly LibraryMethod[] {
  const commands = registry.commands.filter(
    ({ definition }) => definition.runsIn !== 'client' && definition.surfaces?.includes('library') !== false,
  );
  const methods = commands.map((command): LibraryMethod => {
    const method = camelCase(command.name);
    if (TAKEN_METHODS.has(method))
      throw new Error(`The library already has a member ${method}; rename the command.`);
    const input = librarySchema(command.input, 'input');
    const output = librarySchema(command.definition.output, 'output');
    if (input.properties?.['signal'] !== undefined)
      throw new Error(`${command.name} takes "signal", which every method of the library takes already.`);
    names.learn(input);
    names.learn(output);
    const stem = method.replace(/^./, (letter) => letter.toUpperCase());
    const inputType = `${stem}Input`;
    const own = `${stem}Output`;
    const outputType = names.nameOf(output) ?? own;
    const outputAlias = names.isSharedAnswer(outputType) ? own : undefined;
    const overloads = parameterLists(command, input, inputType, (key) =>
      typeText(input.properties?.[key] ?? {}, names, reword, key),
    );
    return { command, method, input, output, inputType, outputType, outputAlias, overloads };
  });
  const twice = methods.find(
    ({ method }, index) => methods.findIndex((other) => other.method === method) !== index,
  );
  if (twice !== undefined) throw new Error(`Two commands are both ${twice.method} in the library.`);
  return methods;
}

/** Any number of plain arguments in order, then an object with the rest; or everything in one object. */
function parameterLists(
  { definition }: RegisteredCommand,
  { required = [] }: Schema,
  inputType: string,
  typeOf: (key: string) => string,
): readonly string[] {
  const positionals: readonly string[] = definition.positionals ?? [];
  const facts = positionals.map((key) => ({ key, isRequired: required.includes(key) }));
  const least = Math.max(1, facts.filter(({ isRequired }) => isRequired).length);
  const needsOptions = required.some((key) => !positionals.includes(key));
  const counts = positionals.map((_, index) => index + 1).filter((count) => count >= least);
  const plain = counts.map((count) => {
    const given = positionalsFor(count, facts)
      .slice(0, count)
      .map(({ key }) => key);
    const left = given.map((key) => `'${camelCase(key)}'`).join(' | ');
    const list = given.map((key) => `${camelCase(key)}: ${typeOf(key)}`);
    return [...list, `options${needsOptions ? '' : '?'}: Omit<${inputType}, ${left}> & CallOptions`].join(
      ', ',
    );
  });
  return [...plain, `input${required.length === 0 ? '?' : ''}: ${inputType} & CallOptions`];
}
