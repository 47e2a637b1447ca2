import { expect, it } from 'vitest';
import configShow from '../../../src/commands/system/config-show.ts';
import { Configuration, SETTINGS } from '../../../src/model/configuration/config.ts';
import type { ResolvedConfiguration } from '../../../src/model/configuration/config.ts';
import { parseToml } from '../../../src/platform/node/documents/toml-library.ts';
import { resolveText } from '../../platform/node/configuration-stage.ts';
import { fakeDesktop } from '../fake-engine.ts';

const configFolder = '/home/someone/.config/deskterity';

function resolve(text: string | undefined): ResolvedConfiguration {
  const request = {
    configFolder,
    environment: { DESKTERITY_LOG_KEEP_DAYS: '30' },
    flags: { 'output.format': 'outline' },
  };
  return resolveText(request, text);
}

async function show(configuration: ResolvedConfiguration) {
  const { ctx } = fakeDesktop({}, { configuration });
  return configShow.output.parse(await configShow.run(ctx, {}));
}

it('shows every setting with its value and source', async () => {
  const output = await show(resolve('log.level = "warn"'));
  expect(output.settings.map(({ key }) => key)).toEqual(SETTINGS.map(({ key }) => key));
  expect(output.settings).toContainEqual({
    key: 'log.level',
    value: 'warn',
    source: 'file',
    variable: 'DESKTERITY_LOG_LEVEL',
  });
  expect(output).toMatchObject({ file: `${configFolder}/config.toml`, file_exists: true });
});

it('renders a table', async () => {
  expect(configShow.outline?.(await show(resolve(undefined)))).toBe(
    [
      'output.format                           outline  flag',
      'daemon.idle_timeout_ms                  300000   default',
      'log.level                               info     default',
      'log.keep_days                           30       environment DESKTERITY_LOG_KEEP_DAYS',
      'private_desktop.width                   1920     default',
      'private_desktop.height                  1080     default',
      'input.seat                              shared   default',
      'settle.quiet_ms                         80       default',
      'settle.limit_ms                         1000     default',
      'screenshot.debounce_ms                  100      default',
      'screenshot.consent                      auto     default',
      'redaction.password_fields               true     default',
      'sandbox.scope                                    default',
      'sandbox.mode                            auto     default',
      'sandbox.environment                              default',
      'sandbox.deny_report                     false    default',
      'operations.synchronous                  false    default',
      'operations.grace_ms                     3000     default',
      'operations.answer_tokens                2000     default',
      'operations.output_mb                    64       default',
      'mcp.structured                          never    default',
      'mcp.describe                            false    default',
      'mcp.inspect_tree_timeout_ms             5000     default',
      'mcp.inspect_search_timeout_ms           2000     default',
      'mcp.inspect_focused_timeout_ms          1000     default',
      'mcp.inspect_windows_timeout_ms          1000     default',
      'mcp.oauth_issuer                                 default',
      'mcp.oauth_audience                               default',
      'mcp.oauth_scopes                                 default',
      'mcp.questions                           needed   default',
      'confirmation.destructive                ask      default',
      'tools.folder                                     default',
      'terminal.app                            auto     default',
      'terminal.log_level                      info     default',
      'terminal.log_dir                                 default',
      'terminal.window_grouping                smart    default',
      'terminal.default_lines                  100      default',
      'terminal.background_startup_seconds     5        default',
      'terminal.foreground_completion_seconds  60       default',
      'terminal.default_focus_on_action        false    default',
      'terminal.sigint_wait_seconds            2        default',
      'terminal.sigterm_wait_seconds           2        default',
      'terminal.default_background_execution   false    default',
      'terminal.notify                         none     default',
      'audit.on_failure                        refuse   default',
      'audit.reads                             false    default',
      'audit.file_mb                           16       default',
      'audit.keep_days                         365      default',
      'audit.keep_mb                           512      default',
      'rate_limit.rps                          50       default',
      'rate_limit.rpm                          1000     default',
      'rate_limit.concurrency                  10       default',
      'rate_limit.all_rps                      200      default',
      'rate_limit.all_rpm                      4000     default',
      'rate_limit.all_concurrency              64       default',
      `file: ${configFolder}/config.toml (does not exist)`,
    ].join('\n'),
  );
});

it('prints an equivalent file', async () => {
  const configuration = resolve('settle = { quiet_ms = 0 }');
  const text = configShow.text?.(await show(configuration)) ?? '';
  expect(text.split('\n')[0]).toBe('output.format = "outline"');
  expect(Configuration.parse(parseToml(text).table)).toEqual(configuration.values);
});

it('shows invisible characters in a folder name', async () => {
  const configuration = { ...resolve(undefined), file: '/a\u202Eb/config.toml' };
  expect(configShow.outline?.(await show(configuration))).toContain(
    String.raw`file: /a\u{202E}b/config.toml`,
  );
});

it('names every setting in its help, which works even if the file is invalid', () => {
  for (const { key } of SETTINGS) expect(configShow.description).toContain(key);
});
