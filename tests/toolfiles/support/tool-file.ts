import { createDocuments } from '../../../src/platform/node/documents/documents.ts';
import type { ToolFile } from '../../../src/model/tools/tool-file.ts';
import { parseToolFile } from '../../../src/toolfiles/files/parse-tool-file.ts';
import { runnableTools, type RunnableTool } from '../../../src/toolfiles/run/runnable-tool.ts';

const documents = createDocuments();

/** A file as it is parsed from text or data. */
export function parse(content: string | Uint8Array | object, file = 'tool.json') {
  const bytes =
    content instanceof Uint8Array
      ? content
      : new TextEncoder().encode(
          typeof content === 'string' ? content : JSON.stringify(content, undefined, 2),
        );
  return parseToolFile({ file, bytes }, documents);
}

/** A file that is good. */
export function goodFile(content: string | object): ToolFile {
  const { tool, problems } = parse(content);
  if (tool === undefined) throw new Error(`not a good tool file: ${JSON.stringify(problems)}`);
  return tool;
}

/** One of the tools of a good file. */
export function toolOf(content: string | object, name?: string): RunnableTool {
  const tools = runnableTools(goodFile(content));
  const found = name === undefined ? tools[0] : tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
