import { createInterface } from 'node:readline/promises';

export function personPresent() {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** True for yes. The default, a bare Enter, is yes: nothing is removed or replaced. */
export async function confirm(question) {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await line.question(`${question} [Y/n] `);
  line.close();
  return /^(|y|yes)$/i.test(answer.trim());
}
