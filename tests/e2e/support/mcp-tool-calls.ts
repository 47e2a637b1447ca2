import { join } from 'node:path';
import { fixturesFolder } from '../../../fixtures/folder.ts';

/** The target of the calls: one application, and references into it. */
export interface ToolWorld {
  readonly app: string;
  readonly title: string;
  readonly refs: Readonly<Record<'press' | 'name' | 'agree' | 'colour' | 'folder', string>>;
  /** The cursor of an earlier snapshot. */
  readonly cursor: string;
  /** A folder for the launched application. */
  readonly folder: string;
  /** An operation that was run by a call of this table. */
  readonly operation: () => string;
  /** A long answer of a tool of another server, which was called by this table. */
  readonly longAnswer: () => string;
  /** Process id of the application that was launched by a call of this table. */
  readonly launched: () => number;
}

export interface ToolCalls {
  /** The command whose published schema the data must match too, if there is one. */
  readonly command?: string;
  readonly inputs: (world: ToolWorld) => readonly Record<string, unknown>[];
}

const once = (command: string, input: Record<string, unknown> = {}): ToolCalls => ({
  command,
  inputs: () => [input],
});
/** Another MCP server, which is configured and trusted. Its tools are listed too. */
export const OTHER_SERVER = 'other';

/** Name of a session with a private desktop, which is created, viewed and ended. */
const SESSION = 'of-the-tools';

/** Title of the window that is closed. */
const CLOSED = 'Closed by a tool';

/** Valid calls of every tool, in a sensible order. */
export const TOOL_CALLS: Readonly<Record<string, ToolCalls>> = {
  desktop_version: once('version'),
  desktop_permissions: once('permissions'),
  desktop_doctor: once('doctor'),
  desktop_config_show: once('config show'),
  desktop_list_apps: { command: 'list-apps', inputs: () => [{}, { with_windows: true }] },
  desktop_list_windows: {
    command: 'list-windows',
    inputs: ({ app }) => [{}, { app, include_minimized: true }, { focused_only: true }],
  },
  desktop_snapshot: {
    command: 'snapshot',
    inputs: ({ app, title, cursor }) => [
      { app },
      { window: title, include_bounds: true, include_actions: true, whole_tree: true },
      { app, compact: true, interactive_only: true, max_depth: 4, max_tokens: 400 },
      { app, since: cursor },
    ],
  },
  desktop_find: {
    command: 'find',
    inputs: ({ app }) => [
      { query: 'Press', app, role: 'button', exact: true },
      { query: 'Prezz', app, by: 'fuzzy', limit: 3 },
      { query: 'there is no such thing', app },
    ],
  },
  desktop_get: {
    command: 'get',
    inputs: ({ app, refs }) => [
      ...['text', 'value', 'bounds', 'role', 'states', 'attributes'].map((property) => ({
        property,
        ref: refs.name,
      })),
      ...['title', 'tree-stats'].map((property) => ({ property, app })),
    ],
  },
  desktop_is: {
    command: 'is',
    inputs: ({ refs }) =>
      ['visible', 'enabled', 'checked', 'focused', 'expanded'].map((state) => ({ state, ref: refs.press })),
  },
  desktop_list_surfaces: { command: 'list-surfaces', inputs: ({ app }) => [{}, { app }] },
  desktop_connect: { command: 'connect', inputs: ({ app }) => [{ app, alias: 'it' }] },
  desktop_disconnect: { command: 'disconnect', inputs: () => [{ alias: 'it' }, { all: true }] },
  desktop_focused: { command: 'focused', inputs: ({ app }) => [{}, { app }] },
  desktop_clear: { command: 'clear', inputs: ({ refs }) => [{ ref: refs.name }] },
  desktop_select: {
    command: 'select',
    inputs: ({ refs }) => [
      { ref: refs.colour, value: 'green' },
      { ref: refs.colour, by_index: 0 },
    ],
  },
  desktop_menu: { command: 'menu', inputs: ({ app }) => [{ path: 'File > Save', app }] },
  desktop_toggle: { command: 'toggle', inputs: ({ refs }) => [{ ref: refs.agree }] },
  desktop_expand: { command: 'expand', inputs: ({ refs }) => [{ ref: refs.folder }] },
  desktop_collapse: { command: 'collapse', inputs: ({ refs }) => [{ ref: refs.folder }] },
  desktop_hover: { command: 'hover', inputs: ({ refs }) => [{ ref: refs.press }] },
  desktop_type_text: {
    command: 'type',
    inputs: ({ refs }) => [
      { ref: refs.name, text: 'zażółć 😀' },
      { ref: refs.name, text: 'Ada', clear_first: true, delay_ms: 1 },
    ],
  },
  desktop_double_click: { command: 'double-click', inputs: ({ refs }) => [{ ref: refs.name }] },
  desktop_triple_click: { command: 'triple-click', inputs: ({ refs }) => [{ ref: refs.name }] },
  desktop_right_click: { command: 'right-click', inputs: ({ refs }) => [{ ref: refs.name }] },
  desktop_press_key: {
    command: 'press',
    inputs: ({ app, refs }) => [{ keys: 'Escape' }, { keys: 'ctrl+a', ref: refs.name }, { keys: 'End', app }],
  },
  desktop_key_down: { command: 'key-down', inputs: ({ app }) => [{ key: 'Shift', app }] },
  desktop_key_up: { command: 'key-up', inputs: () => [{ key: 'Shift' }] },
  desktop_scroll: { command: 'scroll', inputs: ({ refs }) => [{ to: refs.press }] },
  // A position without a window.
  desktop_mouse_move: {
    command: 'mouse move',
    inputs: () => [
      { x: 1900, y: 1000 },
      { x: -1, y: -1, relative: true },
    ],
  },
  desktop_mouse_click: { command: 'mouse click', inputs: () => [{ x: 1900, y: 1000 }] },
  desktop_mouse_down: { command: 'mouse down', inputs: () => [{}] },
  desktop_mouse_up: { command: 'mouse up', inputs: () => [{}] },
  desktop_mouse_wheel: { command: 'mouse wheel', inputs: () => [{ dy: 50 }] },
  desktop_drag: {
    command: 'drag',
    inputs: () => [{ from: '1900,1000', to_xy: '1910,1010', duration_ms: 0 }],
  },
  desktop_set_value: {
    command: 'set-value',
    inputs: ({ refs }) => [{ ref: refs.name, value: 'Grace' }],
  },
  desktop_fill: {
    command: 'fill',
    inputs: ({ refs }) => [
      {
        fields: [
          { target: refs.name, value: 'Ada' },
          { target: refs.agree, value: true },
        ],
      },
    ],
  },
  desktop_do: {
    command: 'do',
    inputs: ({ refs, app }) => [
      {
        app,
        steps: [
          { command: 'set-value', ref: refs.name, value: 'Grace' },
          { command: 'get', property: 'value', ref: refs.name },
        ],
      },
    ],
  },
  desktop_workflow: {
    command: 'workflow',
    inputs: ({ refs, app }) =>
      [true, false].map((dryRun) => ({
        app,
        dry_run: dryRun,
        params: { name: 'Ada' },
        steps: [
          { command: 'set-value', input: { ref: refs.name, value: '{{param.name}}' } },
          { command: 'get', id: 'now', input: { property: 'value', ref: refs.name } },
          { command: 'set-value', input: { ref: refs.name, value: 'Grace after {{now.value}}' } },
        ],
      })),
  },
  desktop_undo: { command: 'undo', inputs: () => [{ list: true }, { count: 2 }] },
  desktop_journal: { command: 'journal', inputs: ({ app, cursor }) => [{}, { since: cursor, app }] },
  desktop_wait: {
    command: 'wait',
    inputs: ({ app, title, refs }) => [
      { ms: 5 },
      { window: title },
      { element: refs.press },
      { text: 'press', app },
      { value: refs.name, is: 'Grace' },
      { actionable: refs.press },
      { idle: true, app },
      { count: `window:"${title}" >> role:button[name="Press"]`, matches: 1 },
    ],
  },
  desktop_expect: {
    command: 'expect',
    inputs: ({ refs }) => [
      { ref: refs.press, exists: true, visible: true, enabled: true, role: 'button', title: 'Press' },
      { ref: refs.name, value: 'Grace', timeout_ms: 0 },
    ],
  },
  desktop_click: { command: 'click', inputs: ({ refs }) => [{ ref: refs.press }] },
  desktop_screenshot: {
    command: 'screenshot',
    inputs: ({ app, refs }) => [
      { app },
      { app, annotate: true },
      { element: refs.press },
      { screen: true, format: 'jpg', quality: 50 },
      { region: '-10,10,100,40', max_size: 50 },
    ],
  },
  desktop_clipboard_set: { command: 'clipboard set', inputs: () => [{ text: 'zażółć 😀' }] },
  desktop_clipboard_get: { command: 'clipboard get', inputs: () => [{}, { max_bytes: 3 }] },
  desktop_clipboard_has_image: once('clipboard has-image'),
  desktop_clipboard_clear: once('clipboard clear'),
  desktop_focus_window: { command: 'focus-window', inputs: ({ app, title }) => [{ app }, { title }] },
  desktop_move_window: {
    command: 'move-window',
    inputs: ({ app }) => [
      { app, x: 120, y: 90 },
      { app, x: 120, y: 90 },
    ],
  },
  desktop_resize_window: {
    command: 'resize-window',
    inputs: ({ app }) => [{ app, width: 900, height: 680 }],
  },
  desktop_maximize: { command: 'maximize', inputs: ({ app }) => [{ app }] },
  desktop_minimize: { command: 'minimize', inputs: ({ title }) => [{ window: title }] },
  desktop_restore: { command: 'restore', inputs: ({ app }) => [{ app }] },
  // Restoring has made its window the active one, which some toolkits require.
  desktop_focus: { command: 'focus', inputs: ({ refs }) => [{ ref: refs.name }] },
  get_ui_tree: { inputs: ({ app }) => [{ app: Number(app), depth: 20 }] },
  find_element: { inputs: ({ app }) => [{ app: Number(app), title: 'Press', role: 'AXButton' }] },
  get_focused_element: { inputs: ({ app }) => [{}, { app: Number(app) }] },
  list_windows: { inputs: ({ app }) => [{}, { app: Number(app), include_minimized: true }] },
  sandboxed_shell: {
    command: 'sandboxed-shell',
    inputs: () => [
      { command: 'echo out; echo err >&2; exit 3', separate: true },
      { command: 'printf "one\\ntwo\\nthree\\n"', execution_mode: 'sync', timeout_seconds: 30 },
    ],
  },
  operation_status: {
    command: 'operation status',
    inputs: ({ operation }) => [{ operation_id: operation() }],
  },
  operation_await: {
    command: 'operation await',
    inputs: ({ operation }) => [{}, { operation_ids: [operation()], timeout_ms: 1000 }],
  },
  operation_output: {
    command: 'operation output',
    inputs: ({ operation }) => [
      { operation_id: operation() },
      { operation_id: operation(), tail: 1 },
      { operation_id: operation(), lines: '1-2' },
      { operation_id: operation(), pattern: 't.o', context: 0 },
      { operation_id: operation(), cursor: 4 },
    ],
  },
  operation_cancel: {
    command: 'operation cancel',
    inputs: ({ operation }) => [{ operation_id: operation() }],
  },
  tools_call: {
    command: 'tools call',
    inputs: () => [
      { tool: `${OTHER_SERVER}__echo`, args: { text: 'hello' } },
      { tool: `${OTHER_SERVER}__long`, args: { characters: 100_000 } },
    ],
  },
  tools_result: {
    command: 'tools result',
    inputs: ({ longAnswer }) => [{ result_id: longAnswer() }, { result_id: longAnswer(), cursor: 4000 }],
  },
  terminal: {
    command: 'terminal execute',
    inputs: ({ folder }) =>
      [
        { command: 'echo hello; false', lines: 5 },
        { action: 'read' },
        { action: 'screen' },
        { action: 'output', pattern: 'hello' },
        { action: 'list' },
        { action: 'info' },
        { action: 'resize', columns: '100' },
        { action: 'send', text: 'true', keys: 'Enter' },
        { action: 'kill' },
        { action: 'close' },
      ].map((input) => ({ project_path: folder, ...input })),
  },
  'terminator.execute': {
    inputs: ({ folder }) =>
      [{ command: 'echo hello' }, { action: 'list' }, { command: 'exit' }].map((input) => ({
        project_path: folder,
        focus: false,
        ...input,
      })),
  },
  operation_list: { command: 'operation list', inputs: () => [{}, { mine: true, limit: 1 }] },
  tools_list: { command: 'tools list', inputs: () => [{}, { name: 'node', ready: true }] },
  run_tool: {
    command: 'run-tool',
    inputs: () => [{ tool: 'node_eval', args: { code: 'console.log(6 * 7)' } }],
  },
  desktop_launch_app: {
    command: 'launch',
    // The window of the first application is closed; the second application is ended.
    inputs: ({ folder }) =>
      [CLOSED, 'Launched by a tool'].map((title, index) => ({
        app: '/usr/bin/python3',
        args: [
          join(fixturesFolder(), 'apps', 'gtk3', 'app.py'),
          `--log=${join(folder, `launched-${index}.jsonl`)}`,
          `--control=${join(folder, `launched-${index}`)}`,
          `--title=${title}`,
        ],
        wait: true,
      })),
  },
  desktop_close_window: { command: 'close-window', inputs: () => [{ window: CLOSED }] },
  desktop_close_app: { command: 'close-app', inputs: ({ launched }) => [{ app: String(launched()) }] },
  desktop_session_new: {
    command: 'session new',
    inputs: () => [{ name: SESSION, private: true, size: '640x480' }],
  },
  desktop_session_info: { command: 'session info', inputs: () => [{}, { name: SESSION }] },
  desktop_session_view: { command: 'session view', inputs: () => [{ name: SESSION }] },
  desktop_session_list: once('session list'),
  desktop_status: once('status'),
  desktop_session_kill: once('session kill', { name: SESSION }),
  // Last, because nothing can act after it.
  desktop_stop: once('stop'),
};
