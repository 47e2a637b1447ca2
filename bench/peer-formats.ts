import type { PeerNode } from './peer-node.ts';
import { agentDeviceRole, agentDesktopRole, isEditable, xa11yRole } from './peer-roles.ts';

/**
 * Our own small renderers of the formats of other tools, following the samples in their documentation. They render every element they are given;
 * peer-pruning.ts selects the elements that a tool shows.
 */
export type Format = (root: PeerNode) => string;

type Line = (node: PeerNode) => string;

/** One line for each node; an empty line replaces a node with its children. */
function indented(root: PeerNode, line: Line): string {
  const lines: string[] = [];
  const visit = (node: PeerNode, depth: number): void => {
    const text = line(node);
    if (text !== '') lines.push('  '.repeat(depth) + text);
    for (const child of node.children) visit(child, text === '' ? depth : depth + 1);
  };
  visit(root, 0);
  return `${lines.join('\n')}\n`;
}

function words(...parts: (string | false | undefined)[]): string {
  return parts.filter((part) => part !== '' && part !== undefined && part !== false).join(' ');
}

const quoted = (text: string): string => text && JSON.stringify(text);

function agentDesktopJson(refOf: (ref: number) => string): Format {
  const convert = (node: PeerNode): Record<string, unknown> => ({
    ...(node.ref === undefined ? {} : { ref_id: refOf(node.ref) }),
    role: agentDesktopRole(node.role),
    ...(node.name === '' ? {} : { name: node.name }),
    ...(node.value === '' ? {} : { value: node.value }),
    ...(node.description === '' ? {} : { description: node.description }),
    ...(node.states.length === 0 ? {} : { states: node.states }),
    ...(node.children.length === 0 ? {} : { children: node.children.map(convert) }),
  });
  return (root) => `${JSON.stringify(convert(root))}\n`;
}

/** `{"ref_id":"@s8f3k2p9:e1","role":"button","name":"About"}`: refs carry the snapshot's id. */
export const agentDesktop = agentDesktopJson((ref) => `@s8f3k2p9:e${ref}`);
/** The same with the short refs of version 1. */
export const agentDesktopShortRefs = agentDesktopJson((ref) => `@e${ref}`);

/** `@e6 [button] "Sign In"`, as its guide shows it. */
export const agentBrowserGuide: Format = (root) =>
  indented(root, (node) =>
    words(
      node.ref !== undefined && `@e${node.ref}`,
      `[${words(node.role, ...node.states)}]`,
      quoted(node.name),
      node.value && `value=${quoted(node.value)}`,
    ),
  );

/** `- button "Sign In" [checked=true, ref=e6]: value`, as it prints it. */
export const agentBrowser: Format = (root) =>
  indented(root, (node) => {
    const states = node.states.map((state) =>
      state === 'checked' || state === 'expanded' ? `${state}=true` : state,
    );
    const attributes = [...states, ...(node.ref === undefined ? [] : [`ref=e${node.ref}`])];
    const text = words(
      `- ${node.role === 'text' ? 'StaticText' : node.role}`,
      quoted(node.name),
      attributes.length > 0 && `[${attributes.join(', ')}]`,
    );
    return node.value === '' || node.value === node.name ? text : `${text}: ${node.value}`;
  });

/** `- button "Submit" [active] [ref=e2]`; text is `- text: …`, or behind the colon of an element with nothing else in it. */
export const playwright: Format = (root) => {
  const lines: string[] = [];
  const visit = (node: PeerNode, depth: number): void => {
    const indent = '  '.repeat(depth);
    if (node.role === 'text' && node.ref === undefined) {
      lines.push(`${indent}- text: ${yaml(node.name)}`);
      return;
    }
    const marks = node.states.map((state) => ` [${state === 'focused' ? 'active' : state}]`).join('');
    const key = `${indent}- ${words(node.role === 'image' ? 'img' : node.role, quoted(node.name))}${marks}${node.ref === undefined ? '' : ` [ref=e${node.ref}]`}`;
    const only = node.children[0];
    const inline =
      node.children.length === 1 && only?.role === 'text' && only.ref === undefined
        ? only.name
        : node.children.length === 0
          ? node.value
          : '';
    if (inline !== '') lines.push(`${key}: ${yaml(inline)}`);
    else {
      lines.push(node.children.length > 0 ? `${key}:` : key);
      for (const child of node.children) visit(child, depth + 1);
    }
  };
  visit(root, 0);
  return `${lines.join('\n')}\n`;
};

/** Plain where YAML allows it. */
function yaml(text: string): string {
  return /^[\p{L}(][^:#\n"'{}[\],&*!|>%@`]*$/u.test(text) ? text : JSON.stringify(text);
}

/** `- [12] push button "OK" [actions=[press]]`; elements that cannot be acted on have no number. */
export const cuaDriver: Format = (root) =>
  indented(root, (node) =>
    words(
      '-',
      node.ref !== undefined && `[${node.ref}]`,
      node.nativeRole,
      quoted(node.name),
      node.value && `= ${quoted(node.value)}`,
      node.states.length > 0 && `[${node.states.join(',')}]`,
      node.actions.length > 0 && `[actions=[${node.actions.join(',')}]]`,
    ),
  );

/** `e8 text_field "File name" value="untitled" [focused]`. */
export const strandsXa11y: Format = (root) =>
  indented(root, (node) =>
    words(
      node.ref !== undefined && `e${node.ref}`,
      xa11yRole(node.role),
      node.name && `"${node.name}"`,
      node.value && `value="${node.value.replaceAll(/\s+/g, ' ').slice(0, 160)}"`,
      node.states.length > 0 && `[${node.states.join(' ')}]`,
    ),
  );

/** `@e15 [text-field] "Last name" [focused]`: one text for each element, the value in editable ones, else the label. */
export const agentDevice: Format = (root) =>
  indented(root, (node) => {
    const role = agentDeviceRole(node.role);
    const label = isEditable(node.role) ? node.value || node.name : node.name || node.value;
    if (role === 'group' && label === '') return '';
    const states = node.states.filter(
      (state) => state === 'disabled' || state === 'selected' || state === 'focused',
    );
    return words(
      node.ref !== undefined && `@e${node.ref}`,
      `[${role}]`,
      label && `"${label}"`,
      ...states.map((state) => `[${state}]`),
    );
  });

/** {@link agentDevice} with value and states beside the label, so that it contains as much as the others. */
export const agentDeviceComplete: Format = (root) =>
  indented(root, (node) =>
    words(
      node.ref !== undefined && `@e${node.ref}`,
      `[${agentDeviceRole(node.role)}]`,
      node.name && `"${node.name}"`,
      node.value && `value="${node.value}"`,
      ...node.states.map((state) => `[${state}]`),
    ),
  );
