import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture } from '../../fixtures/driver.ts';
import { Desktop, DeskterityError } from '../../src/surfaces/library/index.ts';
import { usePlace } from './harness.ts';
import { Found } from './support/answers.ts';

const GONE_WITHIN_MS = 10_000;

let fixture: Fixture | undefined;
const place = usePlace(async (ready) => {
  fixture = await ready.fixture('gtk3');
});
const open: Desktop[] = [];

/** A library on the shared desktop, closed after the tests of this file. */
async function library(options: { session?: string } = {}): Promise<Desktop> {
  const { environment } = place().desktop;
  const desktop = await Desktop.open({ ...options, environment, cwd: place().folder });
  open.push(desktop);
  return desktop;
}

afterAll(async () => {
  await Promise.all(open.map((desktop) => desktop.close()));
});

async function failureOf(call: Promise<unknown>): Promise<DeskterityError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DeskterityError) return error;
  throw new Error(`not a DeskterityError: ${String(error)}`);
}

describe('on a real application', () => {
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await library();
  });

  it('presses the button that the application records', async () => {
    const window = await desktop.snapshot({ app: String(fixture?.pid) });
    const receipt = await desktop.click(window.find('button', 'Press').ref);
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: true, retrySafe: false });
    const pressed = (await fixture?.events())?.filter(({ event }) => event === 'clicked');
    expect(pressed?.map(({ widget }) => widget)).toEqual(['press']);
  });

  it('prints a snapshot like the command line', async () => {
    const app = String(fixture?.pid);
    const outline = (text: string) =>
      text
        .replaceAll(/@[ew]\d+/g, '@')
        .replace(/cursor c\d+\n$/, '')
        .trimEnd();
    const printed = await place().desk(['--no-daemon', 'snapshot', '--app', app, '--format', 'outline']);
    expect(outline(String(await desktop.snapshot({ app })))).toBe(outline(printed.stdout));
  });

  it('returns the receipt of a failed act, in camelCase', async () => {
    const { matches } = await desktop.find('Count', { app: String(fixture?.pid), role: 'spinbutton' });
    const ref = matches[0]?.ref ?? '@e999';
    const error = await failureOf(desktop.setValue(ref, '5000'));
    expect(error.code).toBe('ACTION_FAILED');
    expect(error.result).toMatchObject({ retrySafe: expect.any(Boolean), durationMs: expect.any(Number) });
  });

  it('keeps the toolkit’s names of attributes', async () => {
    const { matches } = await desktop.find('Press', {
      app: String(fixture?.pid),
      role: 'button',
      exact: true,
    });
    const { value } = await desktop.get('attributes', matches[0]?.ref ?? '@e999');
    const printed = await place().desk([
      'find',
      'Press',
      '--app',
      String(fixture?.pid),
      '--role',
      'button',
      '--exact',
    ]);
    const ref = printed.ok(Found).matches[0]?.ref ?? '';
    const wire = await place().desk(['get', 'attributes', ref]);
    expect(value).toEqual(JSON.parse(wire.stdout).value);
  });
});

describe('references', () => {
  it('of one Desktop are unknown to another', async () => {
    const [first, second] = await Promise.all([library(), library()]);
    const window = await first.snapshot({ app: String(fixture?.pid) });
    const { ref } = window.find('button', 'Press');
    const error = await failureOf(second.click(ref));
    expect(error.code).toBe('ELEMENT_NOT_FOUND');
  });

  it('of a named session are those of the command line', async () => {
    expect((await place().desk(['session', 'new', 'shared-with-cli'])).exitCode).toBe(0);
    const named = await library({ session: 'shared-with-cli' });
    const window = await named.snapshot({ app: String(fixture?.pid) });
    const { ref } = window.find('button', 'Press');
    const before = (await fixture?.events())?.length ?? 0;
    const reply = await place().desk(['--no-daemon', '--session', 'shared-with-cli', 'click', ref]);
    expect(reply.exitCode).toBe(0);
    const events = (await fixture?.events())?.slice(before) ?? [];
    expect(events.filter(({ event }) => event === 'clicked').map(({ widget }) => widget)).toEqual(['press']);
  });
});

describe('a private desktop', () => {
  /** Starts one in a separate process, which prints its display and then follows instructions. */
  async function owner(end: string): Promise<{ display: string; exited: Promise<unknown> }> {
    const url = pathToFileURL(join(place().folder, 'dist/library.js')).href;
    const source = `import { Desktop } from ${JSON.stringify(url)};
      const desktop = await Desktop.openPrivate();
      const { desktop: facts } = await desktop.status();
      console.log(facts.private, facts.display);
      ${end}`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      env: { ...place().desktop.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 45_000,
      killSignal: 'SIGKILL',
    });
    const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').once('data', (chunk: string) => resolve(chunk.trim()));
      child.once('error', reject);
    });
    const display = /^true :(\d+)$/.exec(line)?.[1];
    if (display === undefined) throw new Error(`no private desktop: ${line}`);
    return { display, exited };
  }

  const tracesOf = (display: string) =>
    [`/tmp/.X${display}-lock`, `/tmp/.X11-unix/X${display}`].filter((file) => existsSync(file));

  it.each([
    ['closed', 'await desktop.close();', 0],
    ['left by process.exit()', 'process.exit(3);', 3],
    ['killed', "process.kill(process.pid, 'SIGKILL');", 'SIGKILL'],
  ])('leaves nothing when it is %s', async (_, end, code) => {
    const { display, exited } = await owner(end);
    expect(await exited).toBe(code);
    const deadline = performance.now() + GONE_WITHIN_MS;
    while (tracesOf(display).length > 0 && performance.now() < deadline) await sleep(50);
    expect(tracesOf(display)).toEqual([]);
  });
});
