import type { PolicyFileText } from '../../ports/policy/policy-file.ts';
import { errorCode, isMissing } from '../../model/error-code.ts';
import { parseToml } from './documents/toml-library.ts';
import { readRegularFile } from './files.ts';

const LARGEST_BYTES = 256 * 1024;
const WRITABLE_BY_OTHERS = 0o022n;

/** Reads a policy file; `undefined` if there is none. Others must not be able to change it. */
export async function readPolicyFile(path: string): Promise<PolicyFileText | undefined> {
  try {
    const read = await readRegularFile(path, LARGEST_BYTES + 1);
    if (read.problem !== undefined) return { problem: `it ${read.problem}` };
    if (read.bytes.length > LARGEST_BYTES) return { problem: `it is larger than ${LARGEST_BYTES} bytes` };
    const { uid, mode } = read.facts;
    const user = process.getuid?.();
    if (user !== undefined && uid !== 0n && uid !== BigInt(user))
      return { problem: 'it belongs to another user' };
    if ((mode & WRITABLE_BY_OTHERS) !== 0n)
      return { problem: 'other users can write to it; run chmod go-w on it' };
    const { table, problem } = parseToml(new TextDecoder('utf-8', { fatal: true }).decode(read.bytes));
    return problem === undefined ? { table } : { problem: problem.reason, line: problem.line };
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof TypeError) return { problem: 'it is not UTF-8' };
    return { problem: `it cannot be read (${errorCode(error) ?? 'unknown'})` };
  }
}
