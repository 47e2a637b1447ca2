/**
 * What it costs to judge a request by the rules of a policy, and to record each act in the audit log: one entry with its sync, and an act on a real application with the log beside the same act
 * without one, in turns.
 */
import { join } from 'node:path';
import { AuditLog } from '../src/audit/audit-log.ts';
import { isAuditFile } from '../src/audit/file-names.ts';
import { openApp } from '../src/app/open-app.ts';
import type { App } from '../src/app/app.ts';
import { createAuditFolder } from '../src/platform/node/audit-folder.ts';
import { createPlatform } from '../src/platform/select.ts';
import type { AuditFolderPort } from '../src/ports/audit/audit-folder.ts';
import { startFixture } from '../fixtures/driver.ts';
import {
  bestMedian,
  median,
  percentile,
  rounded,
  type Figure,
  type Report,
  type Say,
} from './support/figures.ts';
import { ruleFigures } from './support/policy-rules.ts';
import { Stage } from './support/stage.ts';

const ENTRIES = 300;
const ACTS = 25;
const MOST_RATIO = 1.1;
const CALLS = { deadlineMs: 20_000 } as const;
const RECORD = {
  kind: 'intent',
  facts: {
    command: 'click',
    session: 'default',
    client: 'command line',
    target: 'role:button[name="Press"]',
  },
} as const;

export async function run({ say }: { readonly say: Say }): Promise<Report> {
  const stage = await Stage.start(say);
  try {
    say('rules');
    const rules = ruleFigures();
    say('entries');
    const figures = [
      ...rules,
      ...(await entryFigures(join(stage.folder, 'audit'))),
      ...(await actFigures(stage, say)),
    ];
    return { name: 'policy', figures };
  } finally {
    await stage.stop();
  }
}

async function entryFigures(folder: string): Promise<Figure[]> {
  const keeping = async () => ({ fileBytes: 1e9, keepDays: 1000, keepBytes: 1e9 });
  const log = new AuditLog({
    folder: createAuditFolder(folder, isAuditFile),
    now: () => new Date(),
    keeping,
  });
  const appended: number[] = [];
  const synced: number[] = [];
  for (let at = 0; at < ENTRIES; at += 1) {
    const began = performance.now();
    const entry = await log.record(RECORD);
    appended.push(performance.now() - began);
    await entry.synced;
    synced.push(performance.now() - began);
  }
  const began = performance.now();
  await log.check();
  const checkMs = performance.now() - began;
  return [
    { what: 'an entry, written', value: rounded(median(appended), 3), unit: 'ms' },
    { what: 'an entry, written, p95', value: rounded(percentile(appended, 0.95), 3), unit: 'ms' },
    { what: 'an entry, written and on the disk', value: rounded(median(synced), 3), unit: 'ms' },
    {
      what: 'an entry, written and on the disk, p95',
      value: rounded(percentile(synced, 0.95), 3),
      unit: 'ms',
    },
    { what: 'checking 1000 entries', value: rounded((checkMs / ENTRIES) * 1000, 1), unit: 'ms' },
  ];
}

/** A folder in which nothing lasts and nothing takes time. */
function nowhere(path: string): AuditFolderPort {
  const files = {
    list: () => [],
    find: () => undefined,
    beginning: () => new Uint8Array(),
    tail: () => new Uint8Array(),
    append: () => undefined,
    remove: () => undefined,
    head: () => undefined,
    writeHead: () => undefined,
  };
  return {
    path,
    exclusively: async (step) => step(files),
    sync: async () => undefined,
    glance: async () => ({ files: [], head: undefined }),
    read: async function* () {},
  };
}

async function actFigures(stage: Stage, say: Say): Promise<Figure[]> {
  const environment = { ...stage.desktop.environment, XDG_STATE_HOME: join(stage.folder, 'state') };
  const fixture = await startFixture('gtk3', { environment, ...CALLS });
  const platform = createPlatform();
  const options = {
    environment,
    cwd: '/',
    version: '0.0.0',
    isPersistent: true,
    sessionsIn: 'memory',
  } as const;
  const apps = {
    recorded: openApp({ ...options, platform }),
    unrecorded: openApp({
      ...options,
      platform: { ...platform, auditFolder: async (path) => nowhere(path) },
    }),
  };
  try {
    const input = { ref: `window:${JSON.stringify(fixture.title)} >> role:button[name="Press"]` };
    const times: Record<keyof typeof apps, number[]> = { recorded: [], unrecorded: [] };
    const act = async (app: App): Promise<number> => {
      const began = performance.now();
      await app.call('bench', 'click', input, { mayCreateSession: true });
      return performance.now() - began;
    };
    say('acts');
    for (const app of Object.values(apps)) for (let warm = 0; warm < 3; warm += 1) await act(app);
    for (let turn = 0; turn < ACTS; turn += 1) {
      // In turns, the other way round each time: what else the machine does meets both.
      const names = ['recorded', 'unrecorded'] as const;
      for (const name of turn % 2 === 0 ? names : names.toReversed()) times[name].push(await act(apps[name]));
    }
    const [value, baseline] = [bestMedian(times.recorded), bestMedian(times.unrecorded)];
    const ratio = rounded(value / baseline, 3);
    return [
      {
        what: 'a click, recorded',
        value: rounded(value),
        unit: 'ms',
        baseline: rounded(baseline),
        beside: 'without an audit log',
        ratio,
        goal: `<= ${MOST_RATIO}`,
        met: ratio <= MOST_RATIO,
      },
    ];
  } finally {
    for (const app of Object.values(apps)) await app.close();
    await fixture.stop();
  }
}
