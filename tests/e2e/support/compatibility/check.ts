import type { Command } from '../../../../scripts/compatibility/rows.ts';
import type { Form } from '../form.ts';
import type { Reader } from '../reader.ts';

/** One cell of the compatibility table. Throws what is wrong, or {@link Refused}. */
export type Check = (reader: Reader) => Promise<void>;
export type Checks = Readonly<Partial<Record<Command, Check>>>;

type FormCheck = (reader: Reader, form: Form) => Promise<void>;

/** Checks of the widgets that our fixtures and our page share. */
export function ofForms(checks: Readonly<Partial<Record<Command, FormCheck>>>): Checks {
  return Object.fromEntries(
    Object.entries(checks).map(([command, check]) => [
      command,
      async (reader: Reader) => {
        if (reader.subject.form === undefined) throw new Error('the subject has no form');
        await check(reader, reader.subject.form);
      },
    ]),
  );
}

/** Counts events of this kind that the application records from now on. */
export async function counted(form: Form, widget: string, event: string, value?: unknown) {
  const before = (await form.events()).length;
  return async (): Promise<number> =>
    (await form.events())
      .slice(before)
      .filter((each) => each.widget === widget && each.event === event)
      .filter((each) => value === undefined || each.value === value).length;
}
