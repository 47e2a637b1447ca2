import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { guessedNames, withRefs, type Call } from './errand.ts';

/** What an errand cost. */
export interface Cost {
  readonly calls: number;
  /** Of what was typed and what was answered (o200k). */
  readonly tokens: number;
  /** Calls and steps that only look. */
  readonly looks: number;
  readonly pictures: number;
  /** Names that were known from elsewhere. */
  readonly guesses: readonly string[];
}

const LOOKS = new Set([
  'snapshot',
  'find',
  'get',
  'is',
  'focused',
  'list-apps',
  'list-windows',
  'screenshot',
  'status',
]);
const CALL_MS = 90_000;
/** No model answers faster; meanwhile pages load. */
const THINKING_MS = 1000;

/** Types `calls` one after another, as an agent would that stops at the first failure. */
export async function runErrand(
  program: string,
  environment: Readonly<Record<string, string>>,
  { task, calls }: { readonly task: string; readonly calls: readonly Call[] },
): Promise<Cost> {
  const answers: string[] = [];
  const guesses: string[] = [];
  let tokens = 0;
  for (const [index, call] of calls.entries()) {
    if (index > 0) await sleep(THINKING_MS);
    guesses.push(...guessedNames(call, [task, ...answers]));
    const args = withRefs(call, answers);
    const { exitCode, text } = await desk(program, environment, args);
    tokens += encode(['desk', ...args].join(' ')).length + encode(text).length;
    if (exitCode !== 0) throw new Error(`desk ${args.join(' ')}: exit ${exitCode}: ${text.slice(0, 600)}`);
    answers.push(text);
  }
  const verbs = calls.flatMap(([verb = '', ...rest]) =>
    verb === 'do' ? rest.map((step) => step.split(' ', 1)[0] ?? '') : verb,
  );
  return {
    calls: calls.length,
    tokens,
    looks: verbs.filter((verb) => LOOKS.has(verb)).length,
    pictures: verbs.filter((verb) => verb === 'screenshot').length,
    guesses: [...new Set(guesses)],
  };
}

/** One call in the form for models. */
export async function desk(
  program: string,
  environment: NodeJS.ProcessEnv,
  args: Call,
): Promise<{ readonly exitCode: number | null; readonly text: string }> {
  // What follows "--" is for the application.
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const typed = [...args.slice(0, end), '--format', 'outline', ...args.slice(end)];
  const child = spawn(process.execPath, [program, ...typed], {
    env: environment,
    cwd: environment['HOME'],
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: CALL_MS,
    killSignal: 'SIGKILL',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, text }));
  });
}

/** What an agent pays that reads `desk guide`. */
export async function costOfGuide(
  program: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly exitCode: number | null; readonly cost: Cost }> {
  const { exitCode, text } = await desk(program, environment, ['guide']);
  const tokens = encode('desk guide').length + encode(text).length;
  return { exitCode, cost: { calls: 1, tokens, looks: 0, pictures: 0, guesses: [] } };
}
