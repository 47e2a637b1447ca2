import type { Annotations, Resource, ResourceTemplateType } from '../sdk.ts';
import { formatAddress } from './address.ts';
import type { RunningApp } from './running-apps.ts';

const JSON_TYPE = 'application/json';
export const PNG_TYPE = 'image/png';

/** What a resource or template says about itself: JSON for models unless stated otherwise. */
function described(
  name: string,
  title: string,
  description: string,
  annotations: Annotations = { audience: ['assistant'], priority: 0.7 },
  mimeType = JSON_TYPE,
) {
  return { name, title, description, mimeType, annotations };
}

function resource(
  kind: 'status' | 'apps' | 'clipboard' | 'operations' | 'terminals',
  ...texts: Parameters<typeof described>
): Resource {
  return { uri: formatAddress({ kind }), ...described(...texts) };
}

export const STATIC_RESOURCES: readonly Resource[] = [
  resource(
    'status',
    'system-status',
    'Desktop status',
    'The desktop in use, its capabilities, permissions, sessions and the program.',
    { audience: ['user', 'assistant'], priority: 0.9 },
  ),
  resource(
    'apps',
    'running-apps',
    'Running applications',
    'Applications with process ids and whether they can be read. Subscribe to learn when one starts or quits.',
  ),
  resource(
    'clipboard',
    'clipboard',
    'Clipboard',
    'The text on the clipboard, or else a PNG picture, and the names of all formats on offer. Subscribe to learn that it changed; the content is only sent when read.',
    { audience: ['assistant'], priority: 0.3 },
  ),
];

/** For clients that have the corresponding tools. */
export const OPERATION_RESOURCES: readonly Resource[] = [
  resource(
    'operations',
    'operations',
    'Operations',
    'The latest command-line operations and their state. Subscribe to learn when one starts or ends.',
  ),
];

/** For clients that have the corresponding tools. */
export const TERMINAL_RESOURCES: readonly Resource[] = [
  resource(
    'terminals',
    'terminals',
    'Terminals',
    'All terminals and what each is doing. Subscribe to learn when a command in one ends.',
  ),
];

export const OPERATION_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'deskterity://operations/{operation_id}',
    ...described(
      'operation',
      'One operation',
      'The state of an operation and its output. Subscribe to learn about changes.',
    ),
  },
];

/** The resources of each application. */
const PARTS = {
  tree: described(
    'app-tree',
    'Elements of an application',
    'The elements of its front window, with a reference for each usable one. Subscribe to learn about changes.',
  ),
  state: described(
    'app-state',
    'State of an application',
    'Its windows, the focused element, its menu bar, what it is up to (detected_state, detected_pattern), and suggestions. Subscribe to learn about changes.',
    { audience: ['assistant'], priority: 0.6 },
  ),
  events: described(
    'app-events',
    'Events of an application',
    'What happened in it lately: windows, dialogs, focus, values, notifications, each with what brought it about. Subscribe to learn when more happens.',
  ),
  screenshot: described(
    'app-screenshot',
    'Screenshot of an application',
    'Its front window as a PNG picture.',
    { audience: ['user', 'assistant'], priority: 0.5 },
    PNG_TYPE,
  ),
};

const JOURNAL = described(
  'session-journal',
  'Journal of a session',
  'What happened on the desktop of this session, each entry with what brought it about: an act of the session, the user, or an application. Subscribe to learn when more happens.',
);

/** The journal of the client's own session. */
export function journalOf(session: string): Resource {
  return { uri: formatAddress({ kind: 'journal', session }), ...JOURNAL };
}

export const TEMPLATES: readonly ResourceTemplateType[] = [
  { uriTemplate: 'deskterity://session/{id}/journal', ...JOURNAL },
  ...(['tree', 'screenshot', 'state', 'events'] as const).map((kind) => ({
    uriTemplate: `deskterity://app/{name}/${kind}`,
    ...PARTS[kind],
  })),
  {
    uriTemplate: 'deskterity://app/{name}/window/{index}/tree',
    ...described(
      'window-tree',
      'Elements of one window',
      'The elements of one window of an application; windows are numbered from 0 as in its state.',
    ),
  },
];

export function resourcesOf({ name, title, isAccessible }: RunningApp): Resource[] {
  const kinds = isAccessible
    ? (['tree', 'state', 'screenshot', 'events'] as const)
    : (['state', 'screenshot', 'events'] as const);
  return kinds.map((kind) => ({
    ...PARTS[kind],
    uri: formatAddress({ kind, app: name }),
    name: `${title} ${kind}`,
    title: `${PARTS[kind].title}: ${title}`,
  }));
}
