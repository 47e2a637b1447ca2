import { describeTool } from '../../src/surfaces/mcp/dialects/terminal/descriptions.ts';
import type { ToolFacts } from '../../src/app/tool-facts.ts';
import { Configuration } from '../../src/model/configuration/config.ts';
import type { TerminalDialect } from '../../src/surfaces/mcp/dialects/terminal/dialects.ts';
import { allToolFacts, commandTools } from '../../src/surfaces/mcp/tools/command-tools.ts';
import type { McpTool } from '../../src/surfaces/mcp/connections/connection.ts';
import type { ClientCalls } from '../../src/surfaces/mcp/tools/client-calls.ts';
import { axTools } from '../../src/surfaces/mcp/dialects/ax/ax-tools.ts';
import { inspectTools } from '../../src/surfaces/mcp/dialects/inspect/inspect-tools.ts';
import { TERMINAL_CALL, terminalTool } from '../../src/surfaces/mcp/dialects/terminal/terminal-tool.ts';
import { policyOf } from '../../src/policy/rules/rules.ts';
import { promptsFor } from '../../src/surfaces/mcp/prompts/guides.ts';
import { STATIC_RESOURCES, TEMPLATES } from '../../src/surfaces/mcp/resources/definitions.ts';
import type { Registry } from '../../src/registry/registry.ts';
import { terminalSettings } from '../../src/model/terminals/terminal-settings.ts';
import { commandLineSpeller } from '../../src/registry/command-line-speller.ts';
import { toolSpeller } from '../../src/surfaces/mcp/tools/client-spelling.ts';
import { page, table } from './markdown.ts';

/** Tools are only described here, never called. */
const NOBODY: ClientCalls = {
  session: '',
  answer: () => Promise.reject(new Error('described only')),
  look: () => Promise.reject(new Error('described only')),
  watch: () => Promise.reject(new Error('described only')),
};

const NO_RULES = policyOf([]);

/** The reference of everything that an MCP client is offered. */
export function mcpPage(registry: Registry): string {
  const facts = allToolFacts(registry.commands);
  const offered = facts.filter(({ command }) => command !== TERMINAL_CALL);
  const tools = commandTools({
    calls: NOBODY,
    offered,
    speller: toolSpeller({ offered, commandLine: commandLineSpeller(registry) }),
    isTextOnly: false,
    policy: NO_RULES,
    hasTerminals: () => true,
    hasSessionArgument: () => false,
  });
  const toolsets = new Map(facts.map(({ tool, toolsets: names }) => [tool, ['all', ...names].toSorted()]));
  const inspect = inspectTools(NOBODY);
  const ax = axTools({ calls: NOBODY, policy: NO_RULES, structured: undefined }, facts);
  const prompts = promptsFor(new Set(tools.map(({ definition }) => definition.name)));
  return page('What the MCP server offers', [
    '[The guide](../guides/mcp.md) explains how to use it. Each tool is a command: its full description and answer are in [the reference of',
    'commands](commands.md) and in `schemas/` of the package. Tools that only read are also offered with `--read-only`.',
    '',
    '## Tools',
    '',
    ...tools.flatMap((tool) => toolLines(tool, toolsets.get(tool.definition.name) ?? [])),
    ...terminal('terminal', facts).flatMap((tool) => toolLines(tool, ['all', 'terminal'])),
    '## Tools of the toolset `terminator`',
    '',
    'Defaults come from the settings, and the description names the application that shows terminals.',
    '',
    ...terminal('terminator', facts).flatMap((tool) => toolLines(tool, ['terminator'])),
    '## Tools of the toolset `inspect`',
    '',
    ...inspect.flatMap((tool) => toolLines(tool, ['inspect'])),
    '## Tools of the toolset `ax`',
    '',
    ...ax.flatMap((tool) => toolLines(tool, ['ax'])),
    '## Resources',
    '',
    ...table(
      ['address', 'type', 'what it is'],
      [
        ...STATIC_RESOURCES.map(({ uri, mimeType = '', description = '' }) => [
          `\`${uri}\``,
          mimeType,
          description,
        ]),
        ...TEMPLATES.map(({ uriTemplate, mimeType = '', description = '' }) => [
          `\`${uriTemplate}\``,
          mimeType,
          description,
        ]),
      ],
    ),
    '',
    '## Prompts',
    '',
    ...table(
      ['prompt', 'what it is for', 'arguments'],
      prompts.map(({ definition: { name, description = '', arguments: given = [] } }) => [
        `\`${name}\``,
        description,
        given.map((argument) => `\`${argument.name}\`${argument.required === true ? '' : '?'}`).join(' '),
      ]),
    ),
  ]);
}

/** The tool with default settings. */
function terminal(dialect: TerminalDialect, all: readonly ToolFacts[]): McpTool[] {
  const settings = terminalSettings({ values: Configuration.parse({}), entries: [] });
  const now = { settings, app: undefined, version: 'VERSION', system: 'Linux' };
  return all
    .filter(({ command }) => command === TERMINAL_CALL)
    .map((facts) => {
      const tool = describeTool(dialect, facts.description, now);
      return terminalTool({ dialect, facts, described: { tool }, calls: NOBODY, isTextOnly: false });
    });
}

function toolLines({ definition, taskSupport }: McpTool, toolsets: readonly string[]): string[] {
  const { name, title = '', description = '', inputSchema, annotations = {} } = definition;
  const hints = [
    annotations.readOnlyHint === true ? 'read-only' : 'may change something',
    ...(annotations.destructiveHint === true ? ['may lose work'] : []),
    ...(annotations.idempotentHint === true ? ['may be repeated'] : []),
    ...(taskSupport === undefined ? [] : ['may be a task']),
  ];
  const required = new Set(inputSchema.required ?? []);
  const parameters = Object.entries(inputSchema.properties ?? {}).map(([key, schema]) =>
    parameter(key, schema, required),
  );
  return [
    `### ${name}`,
    '',
    `**${title}** · ${toolsets.map((set) => `\`${set}\``).join(' ')} · ${hints.join(', ')}`,
    '',
    description,
    '',
    ...(parameters.length === 0 ? [] : [...table(['parameter', 'type', 'meaning'], parameters), '']),
  ];
}

function parameter(key: string, schema: unknown, required: ReadonlySet<string>): string[] {
  const facts = new Map(Object.entries(schema !== null && typeof schema === 'object' ? schema : {}));
  const { values, usual } = { values: facts.get('enum'), usual: facts.get('default') };
  const type = Array.isArray(values)
    ? values.map((value) => `\`${String(value)}\``).join(' ')
    : typeOf(facts);
  const description = facts.get('description');
  // The list leaves out what the name says.
  const unsaid = key === 'timeout_ms' ? 'Deadline in milliseconds.' : '';
  const text = typeof description === 'string' ? description : unsaid;
  const end = usual === undefined || usual === '' ? '' : ` Default: ${JSON.stringify(usual)}.`;
  return [`\`${key}\`${required.has(key) ? '' : '?'}`, type, `${text}${end}`];
}

function typeOf(facts: ReadonlyMap<string, unknown>): string {
  const { type, branches } = { type: facts.get('type'), branches: facts.get('anyOf') };
  if (typeof type === 'string') return type;
  return Array.isArray(branches)
    ? branches.map((branch: unknown) => typeOf(new Map(Object.entries(Object(branch))))).join(' or ')
    : '';
}
