import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { JournalEntry } from '../../../model/journal/entry.ts';
import type { RunCommand } from './run-command.ts';
import { requireApp } from './running-apps.ts';

const Told = z.looseObject({
  entries: z.array(JournalEntry),
  left_out: z.unknown().optional(),
  notes: z.array(z.string()).optional(),
});

/** What happened in an application, which may have exited since. @throws ResourceNotFoundError, ProtocolError, DeskterityError */
export async function appEvents(
  run: RunCommand,
  uri: string,
  app: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { output } = await run('journal', { app: await processOf(run, uri, app) });
  const { entries, left_out: leftOut, notes } = Told.parse(output);
  return {
    app,
    events: entries.map((entry) => toEvent(entry)),
    ...(leftOut === undefined ? {} : { left_out: leftOut }),
    ...(notes === undefined ? {} : { notes }),
  };
}

/** Its process, or the name of one that the journal may still know. */
async function processOf(run: RunCommand, uri: string, app: string): Promise<string> {
  try {
    return String((await requireApp(run, uri, app)).pid);
  } catch (missing) {
    try {
      await run('journal', { app });
      return app;
    } catch (error) {
      if (error instanceof DeskterityError) throw missing;
      throw error;
    }
  }
}

/** An entry in the words of event streams. */
function toEvent({
  time,
  kind,
  window,
  app: _app,
  pid: _pid,
  ...rest
}: JournalEntry): Readonly<Record<string, unknown>> {
  return { type: kind, ...(window === undefined ? {} : { title: window }), timestamp: time, ...rest };
}
