import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { DesktopJournal } from '../journal/desktop-journal.ts';
import type { Session } from '../refs/session.ts';

const CURSOR = /^c([1-9]\d{0,14})$/;
/** Cursors of a session whose moments are remembered. */
const MOST_MARKS = 4000;

/** The number of an issued cursor. @throws DeskterityError INVALID_ARGUMENT */
export async function requireCursor(
  { session }: { readonly session: Session },
  text: string,
): Promise<number> {
  const number = Number(CURSOR.exec(text.trim())?.[1] ?? 0);
  const latest = (await session.read()).cursor;
  if (number > 0 && number <= Number(latest.slice(1))) return number;
  const what =
    number > 0
      ? `c${number} was never issued in this session.`
      : `${quoteClipped(text)} is not a cursor like c17.`;
  throw new DeskterityError('INVALID_ARGUMENT', what, {
    suggestion:
      latest === 'c0'
        ? `Run ${mentionCommand('snapshot')} first; its answer has a cursor.`
        : `Use the "cursor" of an earlier answer (the latest is ${latest}); check ${mentionParameter('session')} if you use several.`,
  });
}

/** Where in the journal of its desktop each cursor of a session stands. */
export class CursorMarks {
  /** The session, as acts name it. */
  readonly session: string;
  private readonly journal: DesktopJournal;
  private readonly positions = new Map<number, number>();

  constructor(journal: DesktopJournal, session: string) {
    this.journal = journal;
    this.session = session;
  }

  /** A cursor was issued: what comes now is after it. */
  note(cursor: number): void {
    this.positions.set(cursor, this.journal.log.position);
    this.journal.log.split();
    for (const [oldest] of this.positions) {
      if (this.positions.size <= MOST_MARKS) break;
      this.positions.delete(oldest);
    }
  }

  /** The place of a cursor; the beginning of the journal if it is older. @throws DeskterityError INVALID_ARGUMENT if it was never issued */
  async require(
    cursor: string,
    session: Session,
  ): Promise<{ readonly position: number; readonly isForgotten: boolean }> {
    const position = this.positions.get(await requireCursor({ session }, cursor));
    return { position: position ?? 0, isForgotten: position === undefined };
  }
}
