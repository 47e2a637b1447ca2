import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifest } from '../../../src/surfaces/cli/arguments/manifest.generated.ts';
import { parseLine } from '../../../src/surfaces/cli/arguments/parse.ts';
import { withSecret } from '../../../src/surfaces/cli/arguments/secrets.ts';
import { UsageError } from '../../../src/surfaces/cli/arguments/usage-error.ts';
import { withFile } from '../../../src/surfaces/cli/arguments/steps-file.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-steps-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.json`);
  await writeFile(path, content);
  return path;
}

/** The input that a command line sends, and its secrets. */
async function sent(words: readonly string[], input = '', environment: Record<string, string> = {}) {
  const parsed = parseLine(words, manifest);
  if (parsed.kind !== 'run') throw new Error('not a command');
  const sources = {
    stdin: Readable.from([Buffer.from(input)]),
    stderr: { write: (_text: string, done: () => void) => (setImmediate(done), true) },
    environment,
    signal: new AbortController().signal,
  };
  const whole = await withFile(parsed.command, parsed.input, sources, (line) => parseLine(line, manifest));
  return withSecret(parsed.command, whole.input, whole.sources, manifest.commands);
}

const DEEP = '['.repeat(20_000) + ']'.repeat(20_000);

const STEPS = '{"name":"a","timeout_ms":50,"steps":[{"command":"wait","input":{"ms":1}},"click @e1"]}';

describe('the file of a workflow', () => {
  it('gives the input, which flags override, with command lines as steps', async () => {
    const { input } = await sent(['workflow', await file(STEPS), '--timeout', '70', '--param', 'a=b']);
    expect(input).toEqual({
      name: 'a',
      timeout_ms: 70,
      param: ['a=b'],
      steps: [
        { command: 'wait', input: { ms: 1 } },
        { command: 'click', ref: '@e1' },
      ],
    });
    expect((await sent(['workflow', '-'], '[{"command":"wait","input":{"ms":1}}]')).input).toEqual({
      steps: [{ command: 'wait', input: { ms: 1 } }],
    });
  });

  it('can take secrets from variables, which answers do not repeat', async () => {
    const path = await file(
      '{"steps":[{"command":"set-value","input":{"ref":"@e1","from_env":"PIN"},"id":"a"},"type --from-env PIN"]}',
    );
    const { input, secrets } = await sent(['workflow', path], '', { PIN: 'correct-horse' });
    expect(input).toEqual({
      steps: [
        { command: 'set-value', id: 'a', input: { ref: '@e1', value: 'correct-horse' } },
        { command: 'type', text: 'correct-horse' },
      ],
    });
    expect(secrets).toEqual(['steps.0.input.value', 'steps.1.text']);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['is not JSON', '{"steps":', 'is not JSON'],
    ['is nested too deeply', `{"steps":${DEEP}}`, 'within each other'],
    ['has a step that is', `{"steps":[{"command":"click","input":${DEEP}}]}`, 'within each other'],
    ['has no steps', '{"step":[]}', 'has no list "steps"'],
    ['is a text', '"steps"', 'is not a JSON object'],
    ['has a step that is no command', '{"steps":["clik @e1"]}', 'clik'],
    ['is not UTF-8', new Uint8Array([0x7b, 0xff]), 'not UTF-8'],
    ['is too large', 'x'.repeat(1_100_000), 'larger than'],
  ])('is refused if it %s', async (_, content, message) => {
    await expect(sent(['workflow', await file(content)])).rejects.toThrow(message);
  });

  it.skipIf(process.platform === 'win32')('is no named pipe, on which opening would wait', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(sent(['workflow', pipe])).rejects.toThrow('it is not a regular file');
  });

  it.each([
    ['of fields', ['fill', '--fields', DEEP]],
    ['of a step', ['do', `{"command":"click","x":${DEEP}}`]],
    ['of parameters', ['workflow', 'a.json', '--params', `{"A":${DEEP}}`]],
  ])('and so is JSON %s', (_, words) => {
    expect(() => parseLine(words, manifest)).toThrow(UsageError);
  });

  it('must exist, be a file, and be one', async () => {
    await expect(sent(['workflow', join(folder, 'none.json')])).rejects.toThrow('there is no such file');
    await expect(sent(['workflow', folder])).rejects.toThrow('not a regular file');
    await expect(sent(['workflow', 'a.json', 'b.json'])).rejects.toThrow('takes one file');
  });
});
