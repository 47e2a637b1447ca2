import { z } from 'zod';
import { AppSummary, WindowSummary } from '../../model/refs/target.ts';
import { line, span, type Block, type Column } from '../../model/text/page.ts';
import { quote } from '../../model/text/untrusted-text.ts';
import {
  defineCommand,
  flag,
  outlineWindow,
  tableOfWindows,
  timeout,
  callLimits,
} from '../../registry/define.ts';

const ListedApp = AppSummary.extend({ windows: z.array(WindowSummary).optional() }).meta({ id: 'ListedApp' });

export default defineCommand({
  name: 'list-apps',
  aliases: ['apps'],
  group: 'apps',
  kind: 'read',
  title: 'List applications',
  toolsets: ['core'],
  needs: ['windows'],
  summary: 'List the running applications that have windows or an accessibility tree.',
  description: 'If "accessible" is false, "reason" says what to do.',
  input: z.object({
    with_windows: flag('Also list their windows, minimized ones too.'),
    timeout_ms: timeout(5000),
  }),
  output: z.object({ apps: z.array(ListedApp), count: z.int().nonnegative() }),
  examples: [
    { about: 'See what is running', input: {} },
    { about: 'With the windows of each application', input: { with_windows: true } },
  ],
  outline: ({ apps }) =>
    apps.length === 0
      ? 'no applications'
      : apps
          .map((app) =>
            [outlineApp(app), ...(app.windows ?? []).map((window) => `  ${outlineWindow(window)}`)].join(
              '\n',
            ),
          )
          .join('\n'),
  page: ({ apps }) =>
    apps.length === 0
      ? [line('no applications')]
      : apps.some(({ windows }) => windows !== undefined)
        ? apps.flatMap((app) => [tableOfApps([app], true), tableOfWindows(app.windows ?? [], 2)])
        : [tableOfApps(apps)],
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    const request = callLimits(ctx, input);
    const [apps, windows] = await Promise.all([
      engine.listApps(request),
      input.with_windows
        ? engine.listWindows({ ...request, focusedOnly: false, includeMinimized: true })
        : undefined,
    ]);
    return {
      apps:
        windows === undefined
          ? [...apps]
          : apps.map((app) => ({ ...app, windows: windows.filter(({ pid }) => pid === app.pid) })),
      count: apps.length,
    };
  },
});

function tableOfApps(apps: readonly AppSummary[], isBare = false): Block {
  const rows = apps.map((app) => [
    span(app.name, 'name'),
    span(String(app.pid), 'quiet'),
    `${app.toolkit ?? ''} ${app.toolkit_version ?? ''}`.trim(),
    [
      ...(app.responsive ? [] : [span('not responding ', 'bad')]),
      ...(app.accessible ? [] : [span(`no tree: ${app.reason ?? 'not accessible'}`, 'bad')]),
    ],
  ]);
  const columns: readonly Column[] = [
    { title: 'APP', narrow: 'clip' },
    { title: 'PID', align: 'right' },
    { title: 'TOOLKIT', narrow: 'clip' },
    { title: 'TROUBLE', narrow: 'wrap' },
  ];
  return { kind: 'table', columns, rows, indent: 0, ...(isBare ? { isBare } : {}) };
}

function outlineApp(app: AppSummary): string {
  const toolkit =
    app.toolkit === undefined
      ? ''
      : ` ${app.toolkit}${app.toolkit_version === undefined ? '' : ` ${app.toolkit_version}`}`;
  const trouble = [
    app.responsive ? '' : ' not responding',
    app.accessible ? '' : ` no tree: ${app.reason ?? 'not accessible'}`,
  ];
  const { aliases = [] } = app;
  const named = aliases.length === 0 ? '' : ` alias=${aliases.join(',')}`;
  return `app ${quote(app.name)} pid=${app.pid}${named}${toolkit}${trouble.join('')}`;
}
