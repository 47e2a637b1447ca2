import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { afterAll } from 'vitest';
import type { CompatibilityRow } from '../../../scripts/compatibility/rows.ts';
import { RESULTS_FOLDER } from '../../../scripts/compatibility/rows.ts';
import type { Reply } from './reply.ts';

/** A command that rightly declined; the row says "refused" and why. */
export class Refused extends Error {}

/** Says that `reply` is the refusal this toolkit is known for. */
export function refused(reply: Reply, code: Parameters<Reply['error']>[0]): never {
  const { message } = reply.error(code);
  throw new Refused(`${code}: ${message.replaceAll(/@e\d+/g, 'the element')}`);
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
