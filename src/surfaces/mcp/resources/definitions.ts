import type { Annotations, Resource, ResourceTemplateType } from '../sdk.ts';
import { formatAddress } from './address.ts';
import type { RunningApp } from './running-apps.ts';

const JSON_TYPE = 'application/json';
export const PNG_TYPE = 'image/png';

const FOR_MODELS: Annotations = { audience: ['assistant'], priority: 0.7 };
const FOR_ALL: Annotations = { audience: ['user', 'assistant'], priority: 0.5 };

export const STATIC_RESOURCES: readonly Resource[] = [
  {
    uri: formatAddress({ kind: 'status' }),
    name: 'system-status',
    title: 'Desktop status',
    description:
      'The desktop that is worked on, what can be done there, permissions, sessions and the program.',
    mimeType: JSON_TYPE,
    annotations: { audience: ['user', 'assistant'], priority: 0.9 },
  },
  {
    uri: formatAddress({ kind: 'apps' }),
    name: 'running-apps',
    title: 'Running applications',
    description:
      'Applications with their process ids and whether they can be read. Subscribe to be told when one starts or quits.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
  {
    uri: formatAddress({ kind: 'clipboard' }),
    name: 'clipboard',
    title: 'Clipboard',
    description:
      'The text on the clipboard, or a PNG picture where there is no text, and the names of all that is offered. ' +
      'Subscribe to be told that it changes; what is on it goes only to who reads it.',
    mimeType: JSON_TYPE,
    annotations: { audience: ['assistant'], priority: 0.3 },
  },
];

/** Of clients that have the tools for them. */
export const OPERATION_RESOURCES: readonly Resource[] = [
  {
    uri: formatAddress({ kind: 'operations' }),
    name: 'operations',
    title: 'Operations',
    description:
      'The latest command-line operations and how they go. Subscribe to be told when one begins or ends.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
];

/** Of clients that have the tools for them. */
export const TERMINAL_RESOURCES: readonly Resource[] = [
  {
    uri: formatAddress({ kind: 'terminals' }),
    name: 'terminals',
    title: 'Terminals',
    description: 'All terminals and what each is doing. Subscribe to be told when a command in one ends.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
];

export const OPERATION_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'deskterity://operations/{operation_id}',
    name: 'operation',
    title: 'One operation',
    description: 'How an operation goes, with what it wrote. Subscribe to be told of changes.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
];

/** What there is of each application. */
const PARTS = {
  tree: {
    name: 'app-tree',
    title: 'Elements of an application',
    description:
      'The elements of its front window with a reference for each one that can be used. Subscribe to be told of changes.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
  state: {
    name: 'app-state',
    title: 'State of an application',
    description:
      'Its windows, the element that has the focus, and its menu bar. Subscribe to be told of changes.',
    mimeType: JSON_TYPE,
    annotations: { audience: ['assistant'], priority: 0.6 },
  },
  screenshot: {
    name: 'app-screenshot',
    title: 'Picture of an application',
    description: 'Its front window as a PNG picture.',
    mimeType: PNG_TYPE,
    annotations: FOR_ALL,
  },
} as const satisfies Record<string, Omit<Resource, 'uri'>>;

export const TEMPLATES: readonly ResourceTemplateType[] = [
  ...(['tree', 'screenshot', 'state'] as const).map((kind) => ({
    uriTemplate: `deskterity://app/{name}/${kind}`,
    ...PARTS[kind],
  })),
  {
    uriTemplate: 'deskterity://app/{name}/window/{index}/tree',
    name: 'window-tree',
    title: 'Elements of one window',
    description:
      'The elements of one window of an application; windows are numbered from 0 in the order of its state.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
];

export function resourcesOf({ name, title, isAccessible }: RunningApp): Resource[] {
  const kinds = isAccessible
    ? (['tree', 'state', 'screenshot'] as const)
    : (['state', 'screenshot'] as const);
  return kinds.map((kind) => ({
    ...PARTS[kind],
    uri: formatAddress({ kind, app: name }),
    name: `${title} ${kind}`,
    title: `${PARTS[kind].title}: ${title}`,
  }));
}
