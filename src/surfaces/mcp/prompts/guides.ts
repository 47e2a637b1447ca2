import { quote } from '../../../model/text/untrusted-text.ts';
import { APP_NAME_LENGTH, appName, call, TEXT_LENGTH } from './guide.ts';
import type { Given, Guide, GuideArgument, Step, ToolCall } from './guide.ts';

const EFFECT = 'Read effect in the answer: confirmed means it happened; at unverified look again';
const RECEIPT = `${EFFECT}; at no_op or an error stop and say so.`;

function text(name: string, description: string, isRequired?: true): GuideArgument {
  return { name, description, maxLength: TEXT_LENGTH, ...(isRequired === true ? { isRequired } : {}) };
}

function look(app: string, more: ToolCall['input'] = {}): ToolCall {
  return call('desktop_snapshot', { app, ...more });
}

/** Makes sure that there is something to look at. */
function begin(app: string): readonly Step[] {
  return [
    [
      'Call ',
      call('desktop_list_apps'),
      `. If ${quote(app)} is there but not accessible, stop and tell the reason that is given.`,
    ],
    ['If it is not running, start it: ', call('desktop_launch_app', { app, wait: true }), '.'],
  ];
}

const testApp: Guide = {
  name: 'test-app',
  title: 'Test an application',
  description: 'Explore an application, use its controls one by one, check what each does, and report.',
  arguments: [appName, text('focus_area', 'Part to test, such as "toolbar"; all of it when left out.')],
  needs: ['desktop_snapshot', 'desktop_click'],
  task: (given) => `Test the application ${quote(given('app_name'))}${areaOf(given)}.`,
  steps: (given) => {
    const app = given('app_name');
    return [
      ...begin(app),
      ['Read it: ', look(app), '. Note every control', areaOf(given), ' and what it should do.'],
      ['Take a picture for comparison: ', call('desktop_screenshot', { app, annotate: true }), '.'],
      [
        'Use each control: ',
        call('desktop_click', { ref: '@eN' }),
        `. ${EFFECT}; no_op and errors are findings. Leave out what deletes, sends, buys or closes.`,
      ],
      [
        'Fill each field with usual, empty, long and odd text: ',
        call('desktop_set_value', { ref: '@eN', value: 'Ada' }),
        '. Put the old value back.',
      ],
      [
        'Check each expectation: ',
        call('desktop_is', { state: 'checked', ref: '@eN' }),
        ' or ',
        call('desktop_get', { property: 'value', ref: '@eN' }),
        '.',
      ],
      ['See what else changed: ', call('desktop_snapshot', { since: 'cN' }), ' with the last cursor.'],
      ['When a window should open, wait for it: ', call('desktop_wait', { window: 'TITLE', app }), '.'],
      ['Report a table: control, what you did, what you expected, what happened, pass or fail.'],
    ];
  },
};

function areaOf(given: Given): string {
  const area = given('focus_area');
  return area === '' ? '' : ` in the part ${quote(area)}`;
}

const navigateTo: Guide = {
  name: 'navigate-to',
  title: 'Go to a place in an application',
  description: 'Open a page, dialog or other place of an application, step by step.',
  arguments: [appName, text('destination', 'Where to go, such as "Settings > General".', true)],
  needs: ['desktop_snapshot', 'desktop_click'],
  task: (given) =>
    `Bring the application ${quote(given('app_name'))} to the place ${quote(given('destination'))}.`,
  steps: (given) => {
    const app = given('app_name');
    return [
      ...begin(app),
      ['Read what can be used: ', look(app, { interactive_only: true }), '.'],
      [
        'Choose the control that leads nearest and use it: ',
        call('desktop_click', { ref: '@eN' }),
        `. ${RECEIPT}`,
      ],
      [
        'If no control leads there, search closed menus too: ',
        call('desktop_find', { query: 'WORD', app, whole_tree: true }),
        '.',
      ],
      ['When a window should open, wait for it: ', call('desktop_wait', { window: 'TITLE', app }), '.'],
      ['Repeat from the reading until the place is there, ten times at most. Change no setting on the way.'],
      ['Read it once more, ', look(app), ', and name what shows that the place is reached.'],
    ];
  },
};

const FORMATS = ['json', 'csv', 'markdown'];

const extractData: Guide = {
  name: 'extract-data',
  title: 'Read data out of an application',
  description: 'Read values, tables or forms that an application shows, and return them as data.',
  arguments: [
    appName,
    text('data_description', 'What to read.', true),
    { ...text('output_format', 'How to return it: json (default), csv or markdown.'), values: FORMATS },
  ],
  needs: ['desktop_snapshot'],
  task: (given) =>
    `Read this out of the application ${quote(given('app_name'))}: ${quote(given('data_description'))}. Change nothing in it.`,
  steps: (given) => {
    const app = given('app_name');
    const format = given('output_format').toLowerCase() || 'json';
    return [
      ...begin(app).slice(0, 1),
      ['Read the window: ', look(app), '.'],
      [
        'Where an element says that something below it is left out, read that part: ',
        call('desktop_snapshot', { root: '@eN' }),
        '.',
      ],
      [
        'For rows that are scrolled out of sight, read the whole tree: ',
        look(app, { whole_tree: true, max_tokens: 20_000 }),
        '.',
      ],
      [
        'Where a text ends with "…", get all of it: ',
        call('desktop_get', { property: 'text', ref: '@eN' }),
        '.',
      ],
      [
        'If something is only drawn and not in the tree, look at it: ',
        call('desktop_screenshot', { app }),
        '. Mark such values as read from a picture.',
      ],
      [
        `Return ${format} and nothing else, with values exactly as shown. Leave empty what is not there; never invent it. If an answer is incomplete, say so.`,
      ],
    ];
  },
};

const debugUi: Guide = {
  name: 'debug-ui',
  title: 'Find out why an element is not found',
  description: 'Search for an element in every way there is, and tell why it was not found.',
  arguments: [
    appName,
    text('element_description', 'The element that is wanted.', true),
    text('query_tried', 'What was searched for without success.'),
  ],
  needs: ['desktop_find', 'desktop_snapshot'],
  task: (given) => {
    const tried = given('query_tried');
    return `Find out why this element of the application ${quote(given('app_name'))} is not found: ${quote(given('element_description'))}.${tried === '' ? '' : ` Searched for so far: ${quote(tried)}.`}`;
  },
  steps: (given) => {
    const app = given('app_name');
    const query = given('query_tried') || given('element_description');
    return [
      [
        'See whether the application can be read: ',
        call('desktop_list_apps'),
        '. If it is not accessible, that is the cause; the reason stands beside it.',
      ],
      ['See which windows it has, minimized ones too: ', listAll(app), '.'],
      ['Search again: ', call('desktop_find', { query, app }), '. Look at near_misses.'],
      [
        'Search what is not on screen: ',
        call('desktop_find', { query, app, whole_tree: true }),
        '. A match here means a closed menu, a hidden tab or a scrolled-out row.',
      ],
      ['Search loosely: ', call('desktop_find', { query, app, by: 'fuzzy' }), '.'],
      [
        'List all elements of its role (button is an example), for names that are missing or different: ',
        call('desktop_find', { role: 'button', app, limit: 100 }),
        '.',
      ],
      [
        'Read the window: ',
        look(app, { include_bounds: true }),
        '. Look for parts that are left out or incomplete.',
      ],
      [
        'Compare with what is drawn: ',
        call('desktop_screenshot', { app, annotate: true }),
        '. What has no box is not in the tree.',
      ],
      ['Report the cause, and the exact call that finds the element, or that none can.'],
    ];
  },
};

function listAll(app: string): ToolCall {
  return call('desktop_list_windows', { app, include_minimized: true });
}

const crossAppCopy: Guide = {
  name: 'cross-app-copy',
  title: 'Copy from one application to another',
  description: 'Read a value in one application and set it in another, without the clipboard.',
  arguments: [
    appArgument('source_app', 'Application to copy from.'),
    text('source_element', 'What to copy.', true),
    appArgument('target_app', 'Application to copy to.'),
    text('target_element', 'Where to put it.', true),
  ],
  needs: ['desktop_find', 'desktop_get', 'desktop_set_value'],
  task: (given) =>
    `Copy ${quote(given('source_element'))} of the application ${quote(given('source_app'))} into ${quote(given('target_element'))} of the application ${quote(given('target_app'))}.`,
  steps: (given) => {
    const source = given('source_app');
    const target = given('target_app');
    return [
      ['Find the source: ', call('desktop_find', { query: given('source_element'), app: source }), '.'],
      ['If it is not among the matches, read the window and choose: ', look(source), '.'],
      [
        'Get the whole text: ',
        call('desktop_get', { property: 'text', ref: '@eN' }),
        '. If it is protected, stop.',
      ],
      ['Find the target: ', call('desktop_find', { query: given('target_element'), app: target }), '.'],
      ['If it is not among the matches, read the window and choose: ', look(target), '.'],
      [
        'Note what the target holds now: ',
        call('desktop_get', { property: 'value', ref: '@eN' }),
        '. It will be replaced.',
      ],
      [
        'Set the text exactly as it was read: ',
        call('desktop_set_value', { ref: '@eN', value: 'TEXT' }),
        `. ${RECEIPT}`,
      ],
      [
        'Compare: ',
        call('desktop_get', { property: 'value', ref: '@eN' }),
        '. Report the old value, the new one, and whether it equals the source.',
      ],
    ];
  },
};

function appArgument(name: string, description: string): GuideArgument {
  return { name, description, isRequired: true, maxLength: APP_NAME_LENGTH };
}

export const GUIDES: readonly Guide[] = [testApp, navigateTo, extractData, debugUi, crossAppCopy];
