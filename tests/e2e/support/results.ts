import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { afterAll } from 'vitest';
import type { CompatibilityRow } from '../../../scripts/compatibility/rows.ts';
import { RESULTS_FOLDER } from '../../../scripts/compatibility/rows.ts';
import type { Reply } from './reply.ts';

/** A command that rightly declined; the row says "refused" and why. */
export class Refused extends Error {}

/**
 * Codes that say exactly why nothing was done; any other failure is one. `ACTION_FAILED` is no refusal: something was sent and did not do what
 * was asked, which may be said honestly and still is not done.
 */
const REFUSALS = ['ACTION_NOT_SUPPORTED', 'NOT_ACTIONABLE'] as const;

/** Says that `reply` is a refusal, and nothing else. A menu path may name a menu that an application does not have. */
export function declined(reply: Reply): never {
  const codes = reply.args[0] === 'menu' ? [...REFUSALS, 'ELEMENT_NOT_FOUND' as const] : REFUSALS;
  const code = codes.find((each) => reply.stdout.includes(`"code":"${each}"`));
  if (code === undefined) throw new Error(`neither done nor refused: ${reply.toString()}`);
  const { message } = reply.error(code);
  const words = message
    .replaceAll(/@[ew]\d+/g, 'the element')
    .replaceAll(/\b\d+,\d+\b/g, 'X,Y')
    .replaceAll(/\bpid \d+/g, 'pid N');
  throw new Refused(`${code}: ${words}`);
}

/** Collects the rows of one test file and writes them when it has ended. */
export function useResults(file: string): Results {
  const results = new Results();
  afterAll(() => results.write(file));
  return results;
}

class Results {
  private readonly rows: CompatibilityRow[] = [];

  /** Runs a check and keeps how it went; a failure is thrown on. */
  async run(toolkit: string, command: string, check: () => Promise<void>): Promise<CompatibilityRow> {
    try {
      await check();
      return this.keep({ toolkit, command, outcome: 'works' });
    } catch (error) {
      const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
      if (error instanceof Refused) return this.keep({ toolkit, command, outcome: 'refused', reason });
      this.keep({ toolkit, command, outcome: 'fails', reason });
      throw error;
    }
  }

  skip(context: TestContext, toolkit: string, command: string, reason: string): never {
    this.keep({ toolkit, command, outcome: 'skipped', reason });
    return context.skip(reason);
  }

  async write(file: string): Promise<void> {
    await mkdir(RESULTS_FOLDER, { recursive: true });
    await writeFile(join(RESULTS_FOLDER, `${file}.json`), JSON.stringify(this.rows, undefined, 2));
  }

  private keep(row: CompatibilityRow): CompatibilityRow {
    this.rows.push(row);
    return row;
  }
}
