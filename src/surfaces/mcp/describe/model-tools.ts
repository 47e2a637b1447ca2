import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { printLocator } from '../../../model/refs/locator.ts';
import { OutputNode } from '../../../model/tree/node.ts';
import type { ClientCalls } from '../tools/client-calls.ts';
import { markApplicationText } from '../tools/application-text.ts';
import type { Tool } from '../sdk.ts';

const Ref = z.strictObject({ ref: z.string().regex(/^@[ew]\d{1,9}$/) });
const Root = z.object({ tree: OutputNode });
const Met = z.object({ ref: z.string().optional() });
const LONGEST_RESULT = 8000;

const ref = { type: 'string', description: 'Reference of an element, such as @e7.' } as const;
const inputSchema: Tool['inputSchema'] = { type: 'object', properties: { ref }, required: ['ref'] };

/** Tools for the client's model while it looks at a window. They only read. */
export const MODEL_TOOLS: Tool[] = [
  {
    name: 'describe_element',
    description: 'Get all accessibility attributes of one element.',
    inputSchema,
    annotations: { readOnlyHint: true },
  },
  {
    name: 'suggest_locator',
    description: 'Get a locator that finds an element again in a later session, if one does.',
    inputSchema,
    annotations: { readOnlyHint: true },
  },
];

export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs a tool for the model. Rejects only if the call was cancelled, or for bugs. */
export async function runModelTool(
  calls: ClientCalls,
  { name, input }: { readonly name: string; readonly input: unknown },
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const given = Ref.safeParse(input);
  if (!MODEL_TOOLS.some((tool) => tool.name === name)) return wrong('There is no such tool.');
  if (!given.success) return wrong('Pass ref, a reference such as @e7.');
  try {
    const text = await (name === 'describe_element' ? attributesOf : locatorOf)(
      calls,
      given.data.ref,
      signal,
    );
    return { text: text.slice(0, LONGEST_RESULT), isError: false };
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
    return wrong(`${error.message} ${error.suggestion}`);
  }
}

async function attributesOf(calls: ClientCalls, element: string, signal: AbortSignal): Promise<string> {
  const asked = { property: 'attributes', ref: element };
  const { outline } = await calls.answer('get', asked, { form: 'outline', signal });
  return markApplicationText(outline.slice(0, LONGEST_RESULT / 2));
}

async function locatorOf(calls: ClientCalls, element: string, signal: AbortSignal): Promise<string> {
  const read = { root: element, max_depth: 0 };
  const { output } = await calls.answer('snapshot', read, { isData: true, signal });
  const { role, name } = Root.parse(output).tree;
  if (name === undefined) return 'It has no name, so no locator names it alone: use its reference.';
  const locator = printLocator({
    steps: [{ kind: 'role', role, filters: [{ attribute: 'name', operator: '=', text: name }] }],
  });
  const found = await calls
    .answer('expect', { ref: locator, exists: true, timeout_ms: 0 }, { isData: true, signal })
    .then(({ output: met }) => Met.parse(met).ref)
    .catch((error: unknown) => {
      if (error instanceof DeskterityError && error.code !== 'CANCELLED') return undefined;
      throw error;
    });
  return found === element
    ? markApplicationText(locator)
    : 'No locator by role and name finds it alone in the active window: use its reference.';
}

function wrong(text: string): ToolOutcome {
  return { text, isError: true };
}
