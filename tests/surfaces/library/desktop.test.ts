import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Desktop, DeskterityError } from '../../../src/surfaces/library/index.ts';
import packageJson from '../../../package.json' with { type: 'json' };

let home: string;
let desktop: Desktop;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'deskterity-library-'));
  // A display that is not there: named, so that no private desktop is started in its place.
  const environment = { HOME: home, XDG_RUNTIME_DIR: home, PATH: '/usr/bin:/bin', DISPLAY: ':5999' };
  desktop = await Desktop.open({ environment, cwd: home });
});

afterEach(async () => {
  await desktop.close();
  await rm(home, { recursive: true, force: true });
});

async function failureOf(call: Promise<unknown>): Promise<DeskterityError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DeskterityError) return error;
  throw new Error(`not a DeskterityError: ${String(error)}`);
}

describe('a desktop', () => {
  it('answers in camelCase', async () => {
    expect(await desktop.version()).toMatchObject({ programVersion: packageJson.version });
    const { waitedMs } = await desktop.wait(1);
    expect(waitedMs).toBeGreaterThanOrEqual(0);
  });

  it('passes on errors', async () => {
    const error = await failureOf(desktop.find('(', { by: 'regex' }));
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.suggestion).not.toBe('');
    expect(error.exitCode).toBe(5);
  });

  it('reports a missing display', async () => {
    // The first call loads the platform.
    const listing = desktop.listWindows({ timeoutMs: 20_000 });
    expect(await failureOf(listing)).toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    expect(await desktop.status()).toMatchObject({ desktop: null, problem: { code: 'DISPLAY_UNAVAILABLE' } });
  }, 60_000);

  it('can be cancelled', async () => {
    const error = await failureOf(desktop.wait(60_000, { signal: AbortSignal.timeout(20) }));
    expect(error.code).toBe('CANCELLED');
    expect(await failureOf(desktop.wait({ ms: 60_000, signal: AbortSignal.abort() }))).toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('keeps its deadline', async () => {
    expect(await failureOf(desktop.wait({ window: 'None', timeoutMs: 1 }))).toMatchObject({
      code: expect.stringMatching(/^(?:TIMEOUT|DISPLAY_UNAVAILABLE)$/),
    });
  });

  it('refuses calls after closing, and may be closed twice', async () => {
    await Promise.all([desktop.close(), desktop.close()]);
    await desktop[Symbol.asyncDispose]();
    const error = await failureOf(desktop.version());
    expect(error).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(error.message).toContain('version was called on a closed desktop');
  });

  it('cancels running calls when it is closed', async () => {
    const call = failureOf(desktop.wait(60_000));
    await desktop.close();
    expect(await call).toMatchObject({ code: 'CANCELLED' });
  });

  it('can have more sessions, which close with it', async () => {
    for (const name of ['worker', 'other']) await desktop.sessionNew({ name });
    const [first, second] = [desktop.inSession('worker'), desktop.inSession('other')];
    expect(await first.status()).toMatchObject({ session: 'worker' });
    await first.close();
    expect(await failureOf(first.version())).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    const call = failureOf(second.wait(60_000));
    expect(await second.version()).toBeDefined();
    await desktop.close();
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    expect(await failureOf(second.version())).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(() => desktop.inSession('late')).toThrow(DeskterityError);
  });

  it('has no session that nobody made', async () => {
    await desktop.sessionNew({ name: 'worker' });
    expect(await failureOf(desktop.inSession('wroker').listApps())).toMatchObject({
      code: 'SESSION_NOT_FOUND',
      suggestion: expect.stringContaining('Did you mean worker?'),
    });
    const stored = await Desktop.open({ session: 'work', environment: { HOME: home }, cwd: home });
    expect(await failureOf(stored.listApps())).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await stored.close();
  });

  it('writes nothing to disk', async () => {
    await desktop.wait(1);
    await failureOf(desktop.snapshot());
    await desktop.close();
    expect(await readdir(home, { recursive: true })).toEqual([]);
  });

  it.each(['', '../elsewhere', 'a/b', 'a'.repeat(65)])('a session cannot be called %j', async (session) => {
    const other = await Desktop.open({ session, environment: { HOME: home }, cwd: home });
    expect(await failureOf(other.version())).toMatchObject({ code: 'INVALID_ARGUMENT' });
    await other.close();
  });

  it.each([
    { width: 319 },
    { timeoutMs: 0 },
    { timeoutMs: Number.POSITIVE_INFINITY },
    { height: 16_385 },
    { width: 1920.5 },
    { width: Number.NaN },
  ])('a private desktop cannot be %j', async (size) => {
    expect(await failureOf(Desktop.openPrivate(size))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a failure', () => {
  it('is of one class, which programs can construct too', () => {
    const error = new DeskterityError('TIMEOUT', 'Late.', { suggestion: 'Wait longer.' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'DeskterityError', retryable: false, candidates: [], exitCode: 7 });
  });
});
