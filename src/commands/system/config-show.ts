import { z } from 'zod';
import { CONFIGURATION_SOURCES, SETTINGS } from '../../model/configuration/config.ts';
import { line, span, table } from '../../model/text/page.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand } from '../../registry/define.ts';

const Entry = z.object({
  key: z.string().describe('Table and name as in the file, such as log.level.'),
  value: z.union([z.string(), z.number(), z.boolean()]),
  source: z.enum(CONFIGURATION_SOURCES),
  variable: z.string().describe('Environment variable that sets it.'),
});

const VARIABLES = new Map(SETTINGS.map(({ key, variable }) => [key, variable]));

export default defineCommand({
  name: ['config', 'show'],
  group: 'system',
  kind: 'admin',
  title: 'Settings',
  isReadOnly: true,
  summary: 'Show every setting, its value and its source.',
  description: `A flag overrides a DESKTERITY_ variable, which overrides config.toml, which overrides the default. Works without a desktop. The settings are ${SETTINGS.map(({ key }) => key).join(', ')}.`,
  input: z.object({}),
  output: z.object({
    settings: z.array(Entry),
    file: z.string().describe('Path of config.toml, even if it does not exist.'),
    file_exists: z.boolean(),
  }),
  examples: [
    { about: 'See every setting and its source', input: {}, format: 'outline' },
    { about: 'As a config.toml', input: {}, format: 'text' },
  ],
  outline: ({ settings, file, file_exists }) => {
    const rows = settings.map(({ key, value, source, variable }) => [
      key,
      String(value),
      source === 'environment' ? `${source} ${variable}` : source,
    ]);
    const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
    const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
    return [...lines, `file: ${reveal(file)}${file_exists ? '' : ' (does not exist)'}`].join('\n');
  },
  page: ({ settings, file, file_exists }) => [
    table(
      [{ title: 'SETTING' }, { title: 'VALUE', narrow: 'clip' }, { title: 'FROM', narrow: 'wrap' }],
      settings.map(({ key, value, source, variable }) => [
        key,
        source === 'default' ? span(String(value), 'quiet') : span(String(value), 'strong'),
        source === 'default'
          ? span(source, 'quiet')
          : span(source === 'environment' ? variable : source, 'value'),
      ]),
    ),
    line([span('file: ', 'quiet'), file, file_exists ? '' : span(' (does not exist)', 'quiet')]),
  ],
  // The output is valid TOML: numbers and strings are written as in JSON.
  text: ({ settings }) => settings.map(({ key, value }) => `${key} = ${JSON.stringify(value)}`).join('\n'),
  run: async ({ configuration }) => ({
    settings: configuration.entries.map(({ key, value, source, variable }) => ({
      key,
      value,
      source,
      variable: variable ?? VARIABLES.get(key) ?? '',
    })),
    file: configuration.file,
    file_exists: configuration.fileExists,
  }),
});
