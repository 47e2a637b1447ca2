import { createHash } from 'node:crypto';
import { whyDestructiveTool } from '../../model/destructive/destructive-tool.ts';
import { clip, quote, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { ServerToolFacts } from '../../ports/upstream/servers.ts';
import { SERVER_SEPARATOR } from '../../model/tools/server-of-tool.ts';
import { ANY_OBJECT, cleanSchema } from './clean-schema.ts';
import { headerProblem } from './header-parameters.ts';

/** More tools than this overwhelm a model. */
export const MOST_TOOLS = 200;
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;

/** A tool as its server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  /** As its server annotates it. */
  readonly destructiveHint?: boolean | undefined;
  /** It cannot be called as usual. */
  readonly needsTask?: boolean | undefined;
}

/** What a server lists. */
export interface ListedTools {
  readonly tools: readonly ListedTool[];
  /** How many more there are at least. */
  readonly others: number;
  /** How many entries are no tools. */
  readonly unreadable: number;
  /** Parameters are copied into HTTP headers as the schemas demand. */
  readonly copiesHeaders?: boolean | undefined;
}

export interface OfferedServerTools {
  readonly tools: readonly ServerToolFacts[];
  /** As phrases. */
  readonly leftOut: readonly string[];
}

/** The tools of a server as we offer them: a bounded number, with names that every client accepts and texts that say whose they are. */
export function offeredTools(
  server: string,
  { tools: listed, others, unreadable, copiesHeaders = false }: ListedTools,
): OfferedServerTools {
  const tools = new Map<string, ServerToolFacts>();
  const leftOut: string[] = [];
  let withoutSchema = 0;
  for (const { name, description = '', inputSchema, destructiveHint, needsTask } of listed.slice(
    0,
    MOST_TOOLS,
  )) {
    if (needsTask === true) {
      leftOut.push(`the tool ${quoteClipped(name, 40)}, which can only be called as a task`);
      continue;
    }
    const shown = uniqueName(server, name, tools);
    if (shown === undefined) {
      leftOut.push(`a second tool ${quoteClipped(name, 40)}`);
      continue;
    }
    const schema = cleanSchema(inputSchema);
    const problem = copiesHeaders ? headerProblem(schema) : undefined;
    if (problem !== undefined) {
      leftOut.push(`the tool ${quoteClipped(name, 40)}: ${problem}`);
      continue;
    }
    if (schema === undefined) withoutSchema += 1;
    tools.set(shown, {
      name: shown,
      ownName: name,
      description: markedDescription(server, description),
      inputSchema: schema ?? ANY_OBJECT,
      loses: whyDestructiveTool({ ownName: name, destructiveHint }),
    });
  }
  const more = listed.length - MOST_TOOLS + others;
  if (more > 0) leftOut.push(`${more}${others > 0 ? ' or more' : ''} tools after the first ${MOST_TOOLS}`);
  if (unreadable > 0) leftOut.push(`${unreadable} entries of its list that are no tools`);
  if (withoutSchema > 0)
    leftOut.push(`the parameters of ${withoutSchema} tools, whose schemas are too long or not valid`);
  return { tools: [...tools.values()], leftOut: leftOut.slice(0, 10) };
}

/** A model must not take the description for our words. */
function markedDescription(server: string, description: string): string {
  const text = description.trim();
  if (text === '') return `A tool of the MCP server ${server}, which does not describe it.`;
  return `A tool of the MCP server ${server}, which describes it as ${quote(clip(text, LONGEST_DESCRIPTION))}.`;
}

/** Names of other characters, or too long ones, get a hash, so that two of them stay apart and keep their names in each list. */
function uniqueName(server: string, name: string, taken: ReadonlyMap<string, unknown>): string | undefined {
  const plain = `${server}${SERVER_SEPARATOR}${name}`;
  const isPlain = /^[A-Za-z0-9_-]+$/.test(name) && plain.length <= LONGEST_NAME;
  if (isPlain && !taken.has(plain)) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const words = name.replaceAll(/[^A-Za-z0-9-]+/g, '_').replaceAll(/^_+|_+$/g, '');
  const room = LONGEST_NAME - server.length - SERVER_SEPARATOR.length - hash.length - 1;
  const changed = `${server}${SERVER_SEPARATOR}${words === '' ? 'tool' : words.slice(0, room)}_${hash}`;
  return isPlain || taken.has(changed) ? undefined : changed;
}
