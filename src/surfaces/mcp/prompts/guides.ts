import { quote } from '../../../model/text/untrusted-text.ts';
import { appArgument, call, guidePrompt, step, TEXT_LENGTH } from './guide.ts';
import type { Given, Guide, GuideArgument, Step, ToolCall } from './guide.ts';
import type { McpPrompt } from '../connections/connection.ts';

const EFFECT = 'Check effect in the answer: confirmed means it happened; if unverified, look again';
const RECEIPT = `${EFFECT}; on no_op or an error, stop and report it.`;

const appName = appArgument('app_name', 'Name or process id of the application.');

function text(name: string, description: string, isRequired?: true): GuideArgument {
  return { name, description, maxLength: TEXT_LENGTH, ...(isRequired === true ? { isRequired } : {}) };
}

function look(app: string, more: ToolCall['input'] = {}): ToolCall {
  return call('desktop_snapshot', { app, ...more });
}

/** Makes sure that the application is running. */
function begin(app: string): readonly Step[] {
  return [
    step`Call ${call('desktop_list_apps')}. If ${quote(app)} is listed but not accessible, stop and report the reason given.`,
    step`If it is not running, start it: ${call('desktop_launch_app', { app, wait: true })}.`,
  ];
}

const testApp: Guide = {
  name: 'test-app',
  title: 'Test an application',
  description: 'Explore an application, try its controls one by one, check what each does, and report.',
  arguments: [appName, text('focus_area', 'Part to test, such as "toolbar". Default: all.')],
  needs: ['desktop_snapshot', 'desktop_click'],
  task: (given) => `Test the application ${quote(given('app_name'))}${areaOf(given)}.`,
  steps: (given) => {
    const app = given('app_name');
    return [
      ...begin(app),
      step`Read it: ${look(app)}. Note every control${areaOf(given)} and what it should do.`,
      step`Take a screenshot for comparison: ${call('desktop_screenshot', { app, annotate: true })}.`,
      step`Try each control: ${call('desktop_click', { ref: '@eN' })}. ${EFFECT}; no_op and errors are findings. Skip controls that delete, send, buy or close.`,
      step`Fill each field with normal, empty, long and unusual text: ${call('desktop_set_value', { ref: '@eN', value: 'Ada' })}. Restore the old value.`,
      step`Fill several fields at once with ${call('desktop_fill', { fields: [{ target: '@eN', value: 'Ada' }] })}, which says for each what it saw.`,
      step`Check each expectation: ${call('desktop_is', { state: 'checked', ref: '@eN' })} or ${call('desktop_get', { property: 'value', ref: '@eN' })}.`,
      step`See what else changed: ${call('desktop_snapshot', { since: 'cN' })} with the last cursor.`,
      step`If a window should open, wait for it: ${call('desktop_wait', { window: 'TITLE', app })}.`,
      step`Report a table: control, what you did, what you expected, what happened, pass or fail.`,
    ];
  },
};

function areaOf(given: Given): string {
  const area = given('focus_area');
  return area === '' ? '' : ` in the part ${quote(area)}`;
}

const navigateTo: Guide = {
  name: 'navigate-to',
  title: 'Navigate in an application',
  description: 'Open a page, dialog or other destination in an application, step by step.',
  arguments: [appName, text('destination', 'Where to go, such as "Settings > General".', true)],
  needs: ['desktop_snapshot', 'desktop_click'],
  task: (given) => `In the application ${quote(given('app_name'))}, go to ${quote(given('destination'))}.`,
  steps: (given) => {
    const app = given('app_name');
    return [
      ...begin(app),
      step`Read the usable elements: ${look(app, { interactive_only: true })}.`,
      step`Click the control that leads closest: ${call('desktop_click', { ref: '@eN' })}. ${RECEIPT}`,
      step`If you know several clicks ahead, give them to ${call('desktop_do', { steps: [{ command: 'click', ref: 'role:tab[name=WORD]' }] })} at once: it stops at whatever you did not expect.`,
      step`If no control leads there, also search closed menus: ${call('desktop_find', { query: 'WORD', app, whole_tree: true })}.`,
      step`If a window should open, wait for it: ${call('desktop_wait', { window: 'TITLE', app })}.`,
      step`Read the usable elements again and repeat from that step until you are there, at most ten times. Do not change any settings.`,
      step`Read it once more, ${look(app)}, and say what shows that you are there.`,
    ];
  },
};

const FORMATS = ['json', 'csv', 'markdown'];

const extractData: Guide = {
  name: 'extract-data',
  title: 'Extract data from an application',
  description: 'Read values, tables or forms shown by an application, and return them as data.',
  arguments: [
    appName,
    text('data_description', 'What to read.', true),
    { ...text('output_format', 'How to return it: json (default), csv or markdown.'), values: FORMATS },
  ],
  needs: ['desktop_snapshot'],
  task: (given) =>
    `Read this from the application ${quote(given('app_name'))}: ${quote(given('data_description'))}. Change nothing in it.`,
  steps: (given) => {
    const app = given('app_name');
    const format = given('output_format').toLowerCase() || 'json';
    return [
      ...begin(app).slice(0, 1),
      step`Read the window: ${look(app)}.`,
      step`If an element says that something below it was left out, read that part: ${call('desktop_snapshot', { root: '@eN' })}.`,
      step`For rows scrolled out of view, read the whole tree: ${look(app, { whole_tree: true, max_tokens: 20_000 })}.`,
      step`If a text ends with "…", get all of it: ${call('desktop_get', { property: 'text', ref: '@eN' })}.`,
      step`If something is visible but not in the tree, take a screenshot: ${call('desktop_screenshot', { app })}. Mark such values as read from an image.`,
      step`Return ${format} and nothing else, with values exactly as shown. Leave missing values empty; never invent them. If an answer is incomplete, say so.`,
    ];
  },
};

const debugUi: Guide = {
  name: 'debug-ui',
  title: 'Find out why an element is not found',
  description: 'Search for an element in every possible way, and explain why it was not found.',
  arguments: [
    appName,
    text('element_description', 'The element to find.', true),
    text('query_tried', 'The query that failed.'),
  ],
  needs: ['desktop_find', 'desktop_snapshot'],
  task: (given) => {
    const tried = given('query_tried');
    return `Find out why this element of the application ${quote(given('app_name'))} is not found: ${quote(given('element_description'))}.${tried === '' ? '' : ` Tried so far: ${quote(tried)}.`}`;
  },
  steps: (given) => {
    const app = given('app_name');
    const query = given('query_tried') || given('element_description');
    return [
      step`Check whether the application can be read: ${call('desktop_list_apps')}. If it is not accessible, that is the cause; see its reason.`,
      step`List its windows, including minimized ones: ${listAll(app)}.`,
      step`Search again: ${call('desktop_find', { query, app })}. Look at near_misses.`,
      step`Search off-screen elements: ${call('desktop_find', { query, app, whole_tree: true })}. A match here is in a closed menu, a hidden tab or a scrolled-out row.`,
      step`Search loosely: ${call('desktop_find', { query, app, by: 'fuzzy' })}.`,
      step`List all elements of its role (for example button), in case its name is missing or different: ${call('desktop_find', { role: 'button', app, limit: 100 })}.`,
      step`Read the window: ${look(app, { include_bounds: true })}. Look for parts that were left out or are incomplete.`,
      step`Compare with the screenshot: ${call('desktop_screenshot', { app, annotate: true })}. Anything without a box is not in the tree.`,
      step`Report the cause, and the exact call that finds the element, or say that no call does.`,
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
      step`Find the source: ${call('desktop_find', { query: given('source_element'), app: source })}.`,
      step`If no match is right, read the window and choose: ${look(source)}.`,
      step`Get the whole text: ${call('desktop_get', { property: 'text', ref: '@eN' })}. If it is protected, stop.`,
      step`Find the target: ${call('desktop_find', { query: given('target_element'), app: target })}.`,
      step`If no match is right, read the window and choose: ${look(target)}.`,
      step`Note the target’s present value: ${call('desktop_get', { property: 'value', ref: '@eN' })}. It will be replaced.`,
      step`Set the text exactly as read: ${call('desktop_set_value', { ref: '@eN', value: 'TEXT' })}. ${RECEIPT}`,
      step`Compare: ${call('desktop_get', { property: 'value', ref: '@eN' })}. Report the old value, the new value, and whether it equals the source.`,
      step`If it differs, see what happened meanwhile: ${call('desktop_journal', { since: 'cN' })} with the cursor of an answer before that.`,
    ];
  },
};

const YES_NO = ['true', 'false', 'yes', 'no'];

const automateWorkflow: Guide = {
  name: 'automate-workflow',
  title: 'Automate a workflow',
  description: 'Carry out a task of several steps in one or more applications, and check each result.',
  arguments: [
    text('workflow', 'The task, in words.', true),
    text('apps', 'The applications involved, separated by commas.'),
    { ...text('dry_run', 'Only plan the steps and change nothing: true or false.'), values: YES_NO },
  ],
  needs: ['desktop_snapshot', 'desktop_click'],
  task: (given) =>
    `Carry out this task on the desktop${appsOf(given)}: ${quote(given('workflow'))}.${isDryRun(given) ? ' Only plan it: change nothing.' : ''}`,
  steps: (given) => {
    const planned: readonly Step[] = [
      step`Call ${call('desktop_list_apps')}. If an application that you need is listed but not accessible, stop and report the reason given.`,
      step`Read each application that you need: ${look('NAME')}. Note the references and names of what you will use.`,
      step`Note where the account of what happens stands now: ${call('desktop_journal')}. Its cursor is cN below.`,
      step`Write the steps down in order: application, element, what to do, and what must be so afterwards. Mark those that cannot be undone.`,
      step`Check them without acting: ${workflow({ dry_run: true })}. Correct what it cannot resolve.`,
    ];
    if (isDryRun(given)) return [...planned, step`Report the steps as a numbered list, and stop.`];
    return [
      ...planned,
      step`If an application is not running, start it: ${call('desktop_launch_app', { app: 'NAME', wait: true })}.`,
      step`Carry them out: ${workflow({})}. With "on_fail" a step that fails is skipped, ends the workflow, or takes back what was done before.`,
      step`Steps that depend on what appears, carry out one by one or a few at a time: ${call('desktop_do', { steps: [{ command: 'click', ref: 'role:button[name=WORD]' }] })}. ${EFFECT}.`,
      step`After each part, see what else happened: ${call('desktop_journal', { since: 'cN' })}. A dialog that nobody expected, or input by the user, comes first; never dismiss a dialog unread.`,
      step`Check each result: ${call('desktop_is', { state: 'checked', ref: '@eN' })} or ${call('desktop_get', { property: 'value', ref: '@eN' })}.`,
      step`Report each step: what you did, what shows that it happened, and what is left to do.`,
    ];
  },
};

function workflow(more: { readonly dry_run?: boolean }): ToolCall {
  const steps = [{ command: 'click', input: { ref: 'app:NAME >> role:button[name=WORD]' } }];
  return call('desktop_workflow', { name: 'TASK', steps, ...more });
}

function isDryRun(given: Given): boolean {
  return ['true', 'yes'].includes(given('dry_run').toLowerCase());
}

function appsOf(given: Given): string {
  const apps = given('apps');
  return apps === '' ? '' : ` in ${quote(apps)}`;
}

export const GUIDES: readonly Guide[] = [
  testApp,
  navigateTo,
  extractData,
  automateWorkflow,
  debugUi,
  crossAppCopy,
];

/** The prompts that a client with these tools can follow. */
export function promptsFor(tools: ReadonlySet<string>): McpPrompt[] {
  return GUIDES.flatMap((guide) => guidePrompt(guide, tools) ?? []);
}
