import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, type TestContext } from 'vitest';
import {
  resultsFolder,
  type CompatibilityRow,
  type TestedDisplay,
} from '../../../scripts/compatibility/rows.ts';
import type { Reply } from './reply.ts';

/** A command that correctly refused; its row is "refused" with the reason. */
export class Refused extends Error {}

/**
 * Codes that report exactly why nothing was done; any other failure counts as a failure. `ACTION_FAILED` is not a refusal: something was sent but did not
 * have the requested effect.
 */
const REFUSALS = ['ACTION_NOT_SUPPORTED', 'NOT_ACTIONABLE'] as const;

/** @throws Refused if `reply` is a refusal, else Error. A menu path may name a menu that the application does not have. */
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

/** Collects the rows of one test file and writes them at its end. */
export function useResults(file: string, display: TestedDisplay): Results {
  const results = new Results();
  afterAll(() => results.write(resultsFolder(display), file));
  return results;
}

class Results {
  private readonly rows: CompatibilityRow[] = [];

  /** Runs a check and records the result; failures are rethrown. */
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

  async write(folder: string, file: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${file}.json`), JSON.stringify(this.rows, undefined, 2));
  }

  private keep(row: CompatibilityRow): CompatibilityRow {
    this.rows.push(row);
    return row;
  }
}
