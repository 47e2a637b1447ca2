import { startFixture, type FixtureKind } from '../../fixtures/driver.ts';
import { serveWebPage } from '../../tests/e2e/support/web-page.ts';
import type { Stage } from '../support/stage.ts';
import type { Recorded } from './cases.ts';

/** An application that keeps a record of what happened to it. */
export interface RecordingSubject {
  readonly name: string;
  readonly pid: number;
  /** What the user and accessibility clients did so far, without what we asked it to set. */
  record(): Promise<readonly Recorded[]>;
  /** Sets the text of the field or the choice of the combo box without any tool. */
  set(widget: 'name' | 'colour', value: string): Promise<void>;
  close(): Promise<void>;
}

const DEADLINE_MS = 20_000;

export async function fixtureSubject(stage: Stage, kind: FixtureKind): Promise<RecordingSubject> {
  const { environment } = stage.desktop;
  const fixture = await startFixture(kind, { environment, deadlineMs: DEADLINE_MS });
  return {
    name: kind,
    pid: fixture.pid,
    record: async () => (await fixture.events()).filter(({ source }) => source !== 'control'),
    set: async (widget, value) => {
      const property = widget === 'name' ? 'text' : 'selected';
      await fixture.control('set', { widget, property, value });
    },
    close: () => fixture.stop(),
  };
}

/** Our page in a browser, whose script reports to this process. */
export async function pageSubject(stage: Stage, program: string, name: string): Promise<RecordingSubject> {
  const page = await serveWebPage(`Bench page in ${name}`);
  try {
    const open = await stage.open({
      name,
      program,
      packageName: program,
      title: new RegExp(page.title),
      atLeastNodes: 40,
      prepare: async () => [page.url],
    });
    return {
      name,
      pid: open.pid,
      record: async () => [...page.events],
      set: async (widget, value) => {
        await page.order(widget, 'value', value);
      },
      close: async () => {
        await open.close();
        await page.close();
      },
    };
  } catch (error) {
    await page.close();
    throw error;
  }
}
