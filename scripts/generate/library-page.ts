import { camelCase } from '../../src/surfaces/library/library-speller.ts';
import type { LibraryMethod } from './library-methods.ts';
import type { Schema, TypeNames } from './library-schema.ts';
import { typeText, type Reword } from './library-types.ts';
import { page, table } from './markdown.ts';

/** The reference of all methods. */
export function libraryPage(methods: readonly LibraryMethod[], names: TypeNames, reword: Reword): string {
  const lines = [
    'Every command is a method of `Desktop`; [the guide](../guides/library.md) explains how to get one. Arguments may be given in order, followed by an',
    'object with the rest, or all in one object. Every method also takes `signal`, an `AbortSignal`. A failure is a `DeskterityError`; its codes are',
    'in [errors](errors.md).',
    '',
    methods.map(({ method }) => `[${method}](#${method.toLowerCase()})`).join(' · '),
    '',
  ];
  for (const method of methods) lines.push(...section(method, names, reword));
  lines.push(
    '## Types',
    '',
    'A `Ref` is a string such as `@e7` or `@w2`; a `Target` is a `Ref` or a [locator](../guides/locators.md) such as `role:button[name="Save"]`.',
    '',
  );
  for (const [name, schema] of names.definitions) lines.push(...typeSection(name, schema, names, reword));
  return page('Library', lines);
}

function section(
  { command, method, overloads, input, output, outputType }: LibraryMethod,
  names: TypeNames,
  reword: Reword,
): string[] {
  const { summary, description } = command.definition;
  const answer = names.resolve(output);
  const lines = [`## ${method}`, '', reword(summary), '', '```ts'];
  lines.push(...overloads.map((list) => `desktop.${method}(${list}): Promise<${outputType}>`), '```', '');
  if (description !== undefined) lines.push(reword(description), '');
  lines.push(...propertyTable(input, names, reword), '');
  if (names.definitions.has(outputType))
    lines.push(
      `The answer is ${/^[AEIOU]/.test(outputType) ? 'an' : 'a'} [${outputType}](#${outputType.toLowerCase()}).`,
      '',
    );
  else lines.push('The answer:', '', ...propertyTable(answer, names, reword), '');
  return lines;
}

function typeSection(name: string, schema: Schema, names: TypeNames, reword: Reword): string[] {
  const head = [
    `### ${name}`,
    '',
    ...(schema.description === undefined ? [] : [reword(schema.description), '']),
  ];
  if (schema.properties === undefined)
    return [...head, (schema.enum ?? []).map((value) => `\`${String(value)}\``).join(' '), ''];
  return [...head, ...propertyTable(schema, names, reword), ''];
}

function propertyTable(schema: Schema, names: TypeNames, reword: Reword): string[] {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return ['It takes nothing.'];
  return table(
    ['', 'type', 'default', ''],
    properties.map(([key, property]) => {
      const required = schema.required?.includes(key) === true;
      const type = typeText(property, names, reword, key)
        .replaceAll(/\/\*\*.*?\*\/\s*/g, '')
        .replaceAll(/\s+/g, ' ');
      const fallback = property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``;
      return [
        `\`${camelCase(key)}${required ? '' : '?'}\``,
        `\`${type}\``,
        fallback,
        reword(about(property)),
      ];
    }),
  );
}

function about({ description, minimum, maximum }: Schema): string {
  const range = minimum !== undefined && maximum !== undefined ? `From ${minimum} to ${maximum}.` : '';
  return [description ?? '', range].filter((part) => part !== '').join(' ');
}
