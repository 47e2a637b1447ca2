import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

export function personPresent() {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** True for yes. A bare Enter means yes, because nothing is removed or replaced. The end of input means no. */
export async function confirm(question) {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  const ended = once(line, 'close').then(() => 'no');
  const answer = await Promise.race([line.question(`${question} [Y/n] `).catch(() => 'no'), ended]);
  line.close();
  return /^(|y|yes)$/i.test(answer.trim());
}
