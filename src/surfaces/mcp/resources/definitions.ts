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
    description: 'The desktop in use, its capabilities, permissions, sessions and the program.',
    mimeType: JSON_TYPE,
    annotations: { audience: ['user', 'assistant'], priority: 0.9 },
  },
  {
    uri: formatAddress({ kind: 'apps' }),
    name: 'running-apps',
    title: 'Running applications',
    description:
      'Applications with process ids and whether they can be read. Subscribe to learn when one starts or quits.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
  {
    uri: formatAddress({ kind: 'clipboard' }),
    name: 'clipboard',
    title: 'Clipboard',
    description:
      'The text on the clipboard, or else a PNG picture, and the names of all formats on offer. ' +
      'Subscribe to learn that it changed; the content is only sent when read.',
    mimeType: JSON_TYPE,
    annotations: { audience: ['assistant'], priority: 0.3 },
  },
];

/** For clients that have the corresponding tools. */
export const OPERATION_RESOURCES: readonly Resource[] = [
  {
    uri: formatAddress({ kind: 'operations' }),
    name: 'operations',
    title: 'Operations',
    description:
      'The latest command-line operations and their state. Subscribe to learn when one starts or ends.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
];

/** For clients that have the corresponding tools. */
export const TERMINAL_RESOURCES: readonly Resource[] = [
  {
    uri: formatAddress({ kind: 'terminals' }),
    name: 'terminals',
    title: 'Terminals',
    description: 'All terminals and what each is doing. Subscribe to learn when a command in one ends.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
];

export const OPERATION_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'deskterity://operations/{operation_id}',
    name: 'operation',
    title: 'One operation',
    description: 'The state of an operation and its output. Subscribe to learn about changes.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
];

/** The resources of each application. */
const PARTS = {
  tree: {
    name: 'app-tree',
    title: 'Elements of an application',
    description:
      'The elements of its front window, with a reference for each usable one. Subscribe to learn about changes.',
    mimeType: JSON_TYPE,
    annotations: FOR_MODELS,
  },
  state: {
    name: 'app-state',
    title: 'State of an application',
    description: 'Its windows, the focused element, and its menu bar. Subscribe to learn about changes.',
    mimeType: JSON_TYPE,
    annotations: { audience: ['assistant'], priority: 0.6 },
  },
  screenshot: {
    name: 'app-screenshot',
    title: 'Screenshot of an application',
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
    description: 'The elements of one window of an application; windows are numbered from 0 as in its state.',
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
