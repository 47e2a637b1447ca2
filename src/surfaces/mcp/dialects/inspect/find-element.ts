import { z } from 'zod';
import type { OutputNode } from '../../../../model/tree/node.ts';
import { parseRole } from '../../../../model/tree/role.ts';
import { LONGEST_ANSWER_BYTES } from '../../../../model/tree/budget/whole-nodes.ts';
import { bytesOfElement, eachNode, ELEMENTS_BYTES, toElement, valueOf, type Element } from './element.ts';
import { inspectTool } from './inspect-tool.ts';
import { app, role, text } from './parameters.ts';
import { listWindows, ownerOf, readWindows } from './read-windows.ts';

const Parameters = z.strictObject({
  app,
  role: role.optional(),
  title: text('Part of the title, ignoring case.').optional(),
  value: text('Part of the value, ignoring case.').optional(),
  identifier: text('The exact identifier.').optional(),
  max_results: z.int().min(1).max(500).default(20).describe('Maximum number of elements.'),
});

export const findElement = inspectTool({
  name: 'find_element',
  title: 'Find elements',
  description:
    'Find elements of an application that match all given criteria. Searches only what is on screen, not closed menus, hidden tabs or scrolled-out rows. No match is an empty list.',
  parameters: Parameters,
  output: { pid: ['integer', 'null'], elements: 'array', count: 'integer', has_more_results: 'boolean' },
  run: async (call, input) => {
    const windows = await listWindows(call, input.app);
    const meets = criteria(input);
    const elements: Element[] = [];
    let windowsRead = 0;
    let isComplete = true;
    let isMore = false;
    let bytes = 0;
    let isFull = false;
    for await (const { tree, isComplete: isWindowComplete } of readWindows(call, windows, {
      include_actions: true,
    })) {
      windowsRead += 1;
      isComplete &&= isWindowComplete;
      for (const entry of eachNode(tree)) {
        if (!meets(entry.node)) continue;
        bytes += bytesOfElement(entry);
        isFull = bytes > ELEMENTS_BYTES;
        isMore = isFull || elements.length === input.max_results;
        if (isMore) break;
        elements.push(toElement(entry, { kept: new Set() }));
      }
      if (isMore) break;
    }
    isComplete &&= isMore || windowsRead === windows.length;
    const guidance = [
      ...(isMore
        ? [
            isFull
              ? `More elements match, but an answer has at most ${LONGEST_ANSWER_BYTES / 1000} KB: add criteria.`
              : 'More elements match: add criteria, or raise max_results.',
          ]
        : []),
      ...(isComplete ? [] : ['Part of the application could not be read: call again.']),
      ...(elements.length > 0
        ? []
        : ['Nothing on screen matches: use fewer criteria, or read the application with get_ui_tree.']),
    ];
    return {
      ...ownerOf(windows, input.app),
      elements,
      count: elements.length,
      has_more_results: isMore || !isComplete,
      guidance,
    };
  },
});

function criteria(input: z.output<typeof Parameters>): (node: OutputNode) => boolean {
  const { identifier } = input;
  const role = input.role === undefined ? undefined : parseRole(input.role);
  const title = input.title?.toLowerCase();
  const value = input.value?.toLowerCase();
  return (node) =>
    (role === undefined || node.role === role) &&
    (title === undefined || (node.name ?? '').toLowerCase().includes(title)) &&
    (value === undefined || (valueOf(node) ?? '').toLowerCase().includes(value)) &&
    (identifier === undefined || node.identifier === identifier);
}
