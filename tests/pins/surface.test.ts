import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { GLOBAL_FLAGS } from '../../src/cli/globals.ts';
import { manifest } from '../../src/cli/manifest.generated.ts';
import { manual } from '../../src/cli/manual.generated.ts';
import { usageOf } from '../../src/cli/usage-line.ts';
import { commands } from '../../src/commands/index.generated.ts';
import { ENVELOPE_VERSION } from '../../src/model/envelope.ts';
import { ERROR_EXIT_CODES } from '../../src/model/errors.ts';
import { createRegistry } from '../../src/registry/registry.ts';

// The public surface, against literals: a change here is a change that users see, and wants a line in the changelog.

it('commands, their tools and their other names', () => {
  const names = createRegistry(commands).commands.map(({ name, toolName, aliases }) =>
    [name, toolName ?? '-', ...aliases].join(' '),
  );
  expect(names).toEqual([
    'batch -',
    'clear desktop_clear',
    'click desktop_click',
    'clipboard clear desktop_clipboard_clear',
    'clipboard get desktop_clipboard_get',
    'clipboard has-image desktop_clipboard_has_image',
    'clipboard set desktop_clipboard_set',
    'close-app desktop_close_app',
    'close-window desktop_close_window',
    'collapse desktop_collapse',
    'completion -',
    'config show desktop_config_show',
    'daemon logs -',
    'daemon restart -',
    'daemon start -',
    'daemon stop -',
    'doctor desktop_doctor',
    'expand desktop_expand',
    'expect desktop_expect',
    'find desktop_find',
    'focus desktop_focus',
    'focus-window desktop_focus_window',
    'focused desktop_focused',
    'get desktop_get',
    'is desktop_is',
    'launch desktop_launch_app',
    'list-apps desktop_list_apps apps',
    'list-windows desktop_list_windows',
    'maximize desktop_maximize',
    'mcp - mcp serve',
    'mcp install -',
    'menu desktop_menu',
    'minimize desktop_minimize',
    'move-window desktop_move_window',
    'permissions desktop_permissions check',
    'pinch -',
    'resize-window desktop_resize_window',
    'restore desktop_restore',
    'screenshot desktop_screenshot',
    'select desktop_select',
    'session info desktop_session_info',
    'session kill desktop_session_kill',
    'session list desktop_session_list',
    'session new desktop_session_new',
    'session view desktop_session_view',
    'set-value desktop_set_value',
    'snapshot desktop_snapshot tree',
    'status desktop_status',
    'toggle desktop_toggle',
    'version desktop_version',
    'wait desktop_wait',
  ]);
});

it('arguments and flags', () => {
  const lines = manifest.commands.map((command) =>
    [
      usageOf(command).replace(' [flags]', ''),
      ...command.parameters.flatMap(({ flag, short }) =>
        flag === undefined ? [] : [`--${flag}${short === undefined ? '' : ` -${short}`}`],
      ),
    ].join(' '),
  );
  expect(lines).toEqual([
    'desk batch --stop-on-error',
    'desk clear <ref> --heal --timeout',
    'desk click <ref> --heal --timeout',
    'desk clipboard clear --timeout',
    'desk clipboard get --kind --image --max-bytes --timeout',
    'desk clipboard has-image --timeout',
    'desk clipboard set [text] --image --timeout',
    'desk close-app <app> --force --timeout',
    'desk close-window --app --window --timeout',
    'desk collapse <ref> --heal --timeout',
    'desk completion <shell>',
    'desk config show',
    'desk daemon logs --lines --follow',
    'desk daemon restart --force --timeout',
    'desk daemon start',
    'desk daemon stop --force --timeout',
    'desk expand <ref> --heal --timeout',
    'desk doctor --timeout',
    'desk expand <ref> --timeout',
    'desk expect <ref> --exists --visible --enabled --focused --checked --role --title --value --contains-text --timeout',
    'desk find [query] --app --window --role --by --exact --limit --whole-tree --timeout',
    'desk focus <ref> --heal --timeout',
    'desk focus-window --app --window --title --timeout',
    'desk focused --app --timeout',
    'desk get <property> [ref] --app --window --timeout',
    'desk is <state> <ref> --timeout',
    'desk launch <app> [-- args…] --wait --timeout',
    'desk list-apps --with-windows --timeout',
    'desk list-windows --app --focused-only --include-minimized --timeout',
    'desk maximize --app --window --timeout',
    'desk mcp --toolsets --read-only --text-only --http --port --bind --sse --token-file',
    'desk mcp install --client --scope --name --toolsets --read-only --absolute --remove --dry-run --print',
    'desk menu <path> --app --window --timeout',
    'desk minimize --app --window --timeout',
    'desk move-window <x> <y> --app --window --timeout',
    'desk permissions --request --timeout',
    'desk pinch <scale> --center-x --center-y',
    'desk resize-window <width> <height> --app --window --timeout',
    'desk restore --app --window --timeout',
    'desk screenshot [path] --screen --monitor --app --window --element --region --format --quality --scale --max-size --annotate --timeout',
    'desk screenshot [path] --screen --app --window --element --format --quality --annotate --timeout',
    'desk select <ref> [value] --by-index --timeout',
    'desk session info [name]',
    'desk session kill <name> --timeout',
    'desk session list',
    'desk session new [name] --private --size --timeout',
    'desk session view [name] --path --live --timeout',
    'desk set-value <ref> <value> --heal --clear-first --timeout',
    'desk snapshot --app --window --since --root --max-depth --max-tokens --interactive-only -i --compact -c --include-bounds --include-actions --whole-tree --timeout',
    'desk status --timeout',
    'desk toggle <ref> --heal --timeout',
    'desk version',
    'desk wait [ms] --element --gone --focused --value --is --text --window --app --timeout',
  ]);
});

it('flags of every command', () => {
  expect(GLOBAL_FLAGS.map(({ flag, short }) => (short === undefined ? flag : `${flag} ${short}`))).toEqual([
    'format',
    'json',
    'pretty',
    'session',
    'no-daemon',
    'log-to-stderr',
    'verbose',
    'help h',
    'version V',
  ]);
});

it('choices', () => {
  const choices = manifest.commands.flatMap(({ name, parameters }) =>
    parameters.flatMap(({ key, values }) =>
      values === undefined ? [] : [[`${name} ${key}`, values.join(' ')]],
    ),
  );
  expect(Object.fromEntries(choices)).toEqual({
    'clipboard get kind': 'text image',
    'completion shell': 'bash zsh fish powershell',
    'find by': 'auto exact contains regex role identifier path fuzzy',
    'get property': 'text value bounds role states attributes title tree-stats',
    'is state': 'visible enabled checked focused expanded',
    'mcp toolsets': 'core windows verify all inspect',
    'mcp install client': 'claude-code claude-desktop cursor vscode codex windsurf gemini-cli zed opencode',
    'mcp install scope': 'user project',
    'mcp install toolsets': 'core windows verify all inspect',
    'screenshot format': 'png jpg webp',
  });
});

it('error codes and their exit codes', () => {
  expect(ERROR_EXIT_CODES).toEqual({
    PERM_DENIED: 10,
    ELEMENT_NOT_FOUND: 6,
    APP_NOT_FOUND: 6,
    ACTION_FAILED: 4,
    ACTION_NOT_SUPPORTED: 9,
    TREE_TIMEOUT: 7,
    STALE_REF: 8,
    WINDOW_NOT_FOUND: 6,
    PLATFORM_UNSUPPORTED: 11,
    CLIPBOARD_EMPTY: 6,
    TIMEOUT: 7,
    AMBIGUOUS_TARGET: 8,
    AMBIGUOUS_APP: 8,
    INVALID_ARGUMENT: 5,
    NOT_ACTIONABLE: 9,
    APP_UNRESPONSIVE: 3,
    BUS_UNAVAILABLE: 11,
    DISPLAY_UNAVAILABLE: 11,
    DAEMON_UNAVAILABLE: 11,
    SESSION_NOT_FOUND: 6,
    CANCELLED: 1,
    CONFIG_INVALID: 2,
    EXPECTATION_FAILED: 1,
    BUDGET_TOO_SMALL: 5,
    POLICY_DENIED: 10,
    CONFIRMATION_REQUIRED: 10,
    RATE_LIMITED: 10,
    UNAUTHORIZED: 10,
    SANDBOX_UNAVAILABLE: 11,
    OPERATION_NOT_FOUND: 6,
    TERMINAL_NOT_FOUND: 6,
    TERMINAL_BUSY: 11,
    TOOL_NOT_FOUND: 6,
    TOOL_INVALID: 2,
    TOOL_UNTRUSTED: 10,
    CONFLICT: 11,
    INTERNAL: 70,
  });
});

it('what the command line reports of its own', () => {
  expect(manifest.usageError).toEqual({ code: 'INVALID_ARGUMENT', exitCode: 5 });
  expect(manifest.internalExitCode).toBe(70);
  expect(manual.exitCodes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 70]);
  expect([ENVELOPE_VERSION, manifest.envelopeVersion]).toEqual(['1.0', '1.0']);
});

it('schema files', () => {
  const stems = [
    'clear',
    'click',
    'clipboard-clear',
    'clipboard-get',
    'clipboard-has-image',
    'clipboard-set',
    'close-app',
    'close-window',
    'collapse',
    'config-show',
    'doctor',
    'expand',
    'expect',
    'find',
    'focus',
    'focus-window',
    'focused',
    'get',
    'is',
    'launch',
    'list-apps',
    'list-windows',
    'maximize',
    'mcp-install',
    'menu',
    'minimize',
    'move-window',
    'permissions',
    'pinch',
    'resize-window',
    'restore',
    'screenshot',
    'select',
    'session-info',
    'session-kill',
    'session-list',
    'session-new',
    'session-view',
    'set-value',
    'snapshot',
    'status',
    'toggle',
    'version',
    'wait',
  ];
  const expected = [
    ...stems.flatMap((stem) => [`${stem}.input.json`, `${stem}.output.json`]),
    'error.json',
    'node.json',
  ];
  expect(readdirSync('schemas').toSorted()).toEqual(expected.toSorted());
});
