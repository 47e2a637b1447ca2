import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { Bench } from './support/fixtures.ts';

const place = usePlace();
let form: Bench;
beforeAll(async () => {
  form = new Bench(place(), await place().fixture('gtk3'));
});

const Entry = z.object({
  at: z.string(),
  kind: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
const Shown = z.object({ entries: z.array(Entry), folder: z.string() });
const Verified = z.object({ intact: z.boolean(), head: z.string(), problems: z.array(z.unknown()) });

const shown = async (...args: string[]) => (await form.desk('audit', 'show', ...args)).ok(Shown);

/** Everything in the files of the log. */
function textIn(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
}

it.each([[[]], [['--no-daemon']]])(
  'an act is in the log before the application records it %j',
  async (flags: readonly string[]) => {
    const ref = await form.ref('press');
    const { result: reply, events } = await form.recording(() => form.desk('click', ref, ...flags));
    expect(reply.exitCode).toBe(0);
    const clicked = events.find(({ event }) => event === 'clicked');
    const { entries } = await shown('--command', 'click');
    const [intent, outcome] = entries.slice(-2);
    expect(intent).toMatchObject({ kind: 'intent', facts: { target: ref, does: 'act' } });
    expect(outcome).toMatchObject({
      kind: 'outcome',
      facts: {
        result: 'ok',
        effect: 'confirmed',
        element_role: 'button',
        element_name: 'Press',
        session: 'default',
        app_pid: form.fixture.pid,
        app_executable: expect.stringMatching(/python3/),
        mode: 'normal',
        rule: 'default',
      },
    });
    expect(Date.parse(intent?.at ?? '')).toBeLessThanOrEqual(clicked?.time_ms ?? 0);
    expect(Date.parse(outcome?.at ?? '')).toBeGreaterThanOrEqual(clicked?.time_ms ?? Infinity);
  },
);

it('what was typed is not in it, and a refused act is', async () => {
  const name = await form.ref('name');
  const typed = 'Grüße 4711';
  expect((await form.desk('set-value', name, typed)).exitCode).toBe(0);
  expect((await form.desk('stop')).exitCode).toBe(0);
  expect((await form.desk('set-value', name, typed)).exitCode).toBe(10);
  expect((await form.desk('resume')).exitCode).toBe(0);
  const { entries, folder } = await shown('--denied');
  expect(entries.at(-1)?.facts).toMatchObject({ command: 'set-value', result: 'POLICY_DENIED' });
  expect(textIn(folder)).not.toContain('4711');
});

it('an act that cannot be recorded does not reach the application', async () => {
  const { folder } = await shown();
  const ref = await form.ref('press');
  renameSync(folder, `${folder}-aside`);
  writeFileSync(folder, 'a file where the folder should be');
  try {
    const { result: reply, events } = await form.recording(() => form.desk('click', ref));
    expect(reply.exitCode).toBe(10);
    expect(reply.toString()).toContain('audit.on_failure');
    expect(events).toEqual([]);
  } finally {
    rmSync(folder);
    renameSync(`${folder}-aside`, folder);
  }
  expect((await form.desk('click', ref)).exitCode).toBe(0);
});

it('a changed entry is found', async () => {
  const { folder } = await shown();
  const before = (await form.desk('audit', 'verify')).ok(Verified);
  expect(before).toMatchObject({ intact: true, problems: [] });
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"result":"POLICY_DENIED"', '"result":"ok"'));
  const reply = await form.desk('audit', 'verify', '--expect', before.head);
  expect(reply.exitCode).toBe(1);
  expect(reply.toString()).toContain('has been changed');
  writeFileSync(path, text);
  expect((await form.desk('audit', 'verify', '--expect', before.head)).exitCode).toBe(0);
});

it('can be followed until Ctrl-C', async () => {
  const { entry, desktop } = place();
  const following = spawn(
    process.execPath,
    [entry, 'audit', 'show', '--follow', '--lines', '1', '--format', 'outline'],
    { env: { ...desktop.environment }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  following.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = once(following, 'close');
  await expect.poll(() => printed, { timeout: 10_000 }).toContain('\n');
  expect((await form.desk('focus', await form.ref('press'))).exitCode).toBe(0);
  await expect.poll(() => printed, { timeout: 10_000 }).toMatch(/ outcome focus .*result=ok/);
  following.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
