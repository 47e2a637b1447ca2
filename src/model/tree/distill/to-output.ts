import type { OutputNode, TreeNode } from '../node.ts';
import type { Draft } from './draft.ts';
import type { DistillOptions, DistilledTree } from './types.ts';

/** Converts the finished draft for answers: without empty fields, refs not yet assigned. */
export function toOutput(root: Draft, options: DistillOptions): DistilledTree {
  const sources = new Map<OutputNode, TreeNode>();
  let elided = 0;
  const convert = (node: Draft): OutputNode => {
    const output = fields(node, options);
    sources.set(output, node.source);
    elided += node.elided;
    if (node.children.length > 0) output.children = node.children.map(convert);
    return output;
  };
  return { root: convert(root), sources, elided, refCount: 0 };
}

function fields(node: Draft, options: DistillOptions): OutputNode {
  const output: OutputNode = { role: node.role };
  if (node.name !== '') output.name = node.name;
  if (node.name !== '' && node.nameFrom !== 'label') output.name_from = node.nameFrom;
  if (node.value !== '') output.value = node.value;
  if (node.valueLength > 0) output.value_length = node.valueLength;
  if (node.description !== '') output.description = node.description;
  if (!options.compact && node.source.identifier !== undefined && node.source.identifier !== '')
    output.identifier = node.source.identifier;
  const { caret } = node.source;
  // By default the caret is right after the text.
  if (caret !== undefined && caret < node.source.name.length) output.caret = caret;
  if (node.states.length > 0) output.states = node.states;
  if (options.includeBounds && !options.compact && node.bounds !== undefined) output.bounds = node.bounds;
  const actions = node.source.actions;
  if (options.includeActions && actions !== undefined && actions.length > 0) output.actions = [...actions];
  if (node.elided > 0) output.elided = node.elided;
  if (node.elidedReason !== undefined) output.elided_reason = node.elidedReason;
  return output;
}
