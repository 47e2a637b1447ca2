import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';

let fixture: Fixture;
const place = usePlace(async (started) => {
  fixture = await started.fixture('gtk3');
});

const Answer = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  ok: z.boolean(),
  command: z.string(),
});
type Answer = z.output<typeof Answer>;
const Matches = z.object({ matches: z.array(z.object({ ref: z.string() })) });

function batch(...flags: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [place().entry, 'batch', ...flags], {
    env: { ...place().desktop.environment },
    cwd: place().folder,
    timeout: 40_000,
    killSignal: 'SIGKILL',
  });
}

/** A program that writes a line and reads its answer. */
class Talk {
  readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;

  constructor(...flags: string[]) {
    this.child = batch(...flags);
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async say(line: object | string): Promise<Answer> {
    this.child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    const { value } = await this.lines.next();
    return Answer.parse(JSON.parse(z.string().parse(value)));
  }

  async end(): Promise<unknown> {
    this.child.stdin.end();
    return ended(this.child);
  }
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  if (child.exitCode !== null) return child.exitCode;
  return new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
}

async function all(
  flags: readonly string[],
  text: string,
): Promise<{ answers: Answer[]; exitCode: unknown }> {
  const child = batch(...flags);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  child.stdin.end(text);
  const exitCode = await ended(child);
  const answers = printed
    .split('\n')
    .slice(0, -1)
    .map((line) => Answer.parse(JSON.parse(line)));
  return { answers, exitCode };
}

describe.each([
  ['over the daemon', []],
  ['in its own process', ['--no-daemon']],
])('a batch %s', (_where, flags) => {
  it('answers line by line and operates a real application', async () => {
    const talk = new Talk(...flags);
    const before = (await fixture.events()).length;
    const app = String(fixture.pid);
    const found = await talk.say({
      id: 1,
      args: ['find', 'Press', '--app', app, '--role', 'button', '--exact'],
    });
    const [match] = Matches.parse(found).matches;
    const ref = match?.ref ?? '';
    expect(await talk.say('{')).toMatchObject({ ok: false, error: { code: 'INVALID_ARGUMENT' } });
    expect(await talk.say({ id: 'press', command: 'click', input: { ref } })).toMatchObject({
      id: 'press',
      ok: true,
      command: 'click',
      effect: 'confirmed',
    });
    const events = (await fixture.events()).slice(before);
    expect(events.filter(({ event }) => event === 'clicked').map(({ widget }) => widget)).toEqual(['press']);
    expect(await talk.say({ command: 'click', input: { ref: '@e99999' } })).toMatchObject({ ok: false });
    expect(await talk.say({ args: ['is', 'enabled', ref] })).toMatchObject({ ok: true, command: 'is' });
    expect(await talk.end()).toBe(5);
  });

  it('answers in order, and stops at the first failure if requested', async () => {
    const line = (id: number) => `${JSON.stringify({ id, command: 'version' })}\n`;
    const many = Array.from({ length: 100 }, (_, id) => line(id)).join('');
    const { answers, exitCode } = await all(flags, many);
    expect(exitCode).toBe(0);
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, id) => id));
    const stopped = await all(
      [...flags, '--stop-on-error'],
      `${line(1)}{"command":"click","input":{}}\n${line(2)}`,
    );
    expect(stopped.answers).toMatchObject([{ id: 1, ok: true }, { ok: false }]);
    expect(stopped.exitCode).toBe(5);
  });

  it('ends on Ctrl-C, both while it waits for a line and while it waits for a window', async () => {
    const idle = new Talk(...flags);
    await idle.say({ command: 'version' });
    idle.child.kill('SIGINT');
    expect(await ended(idle.child)).toBe(1);

    const busy = new Talk(...flags);
    await busy.say({ command: 'version' });
    const waiting = busy.say({ id: 'w', args: ['wait', '--window', 'never there', '--timeout', '30000'] });
    // Nothing outside shows that it is waiting.
    setTimeout(() => busy.child.kill('SIGINT'), 700);
    expect(await waiting).toMatchObject({ id: 'w', ok: false, error: { code: 'CANCELLED' } });
    expect(await ended(busy.child)).toBe(1);
  });

  it('ends when nobody reads its answers', async () => {
    const child = batch(...flags);
    child.stdin.on('error', () => undefined);
    const feeding = setInterval(() => child.stdin.write('{"command":"version"}\n'), 20);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await ended(child)).toBe(0);
    clearInterval(feeding);
  });
});

it('refuses verbs of the command line', async () => {
  const { answers, exitCode } = await all([], '{"command":"batch"}\n{"args":["daemon","stop"]}\n');
  expect(answers).toMatchObject([
    { ok: false, error: { code: 'INVALID_ARGUMENT' } },
    { ok: false, error: { code: 'INVALID_ARGUMENT' } },
  ]);
  expect(exitCode).toBe(5);
});
