import type { App } from '../../../app/app.ts';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { TIMERS, within } from '../../../model/within.ts';
import type { Caller } from '../../../model/sessions/caller.ts';
import type { RequestChannel } from '../connections/connection.ts';
import { rootFolders } from './root-folders.ts';

/** No person is asked, so that a client answers at once; one that does not must not hold up its own call. */
const ANSWER_MS = 5000;

/**
 * The folders that one client works in, and what they change: tool files are added, and settings only forbid. The client is asked once, by the first
 * call that they matter to, and again after it has reported a change.
 */
export class ClientRoots {
  private readonly app: Pick<App, 'clientProjects'>;
  private readonly own: Caller;
  private readonly onChange: (caller: Caller) => Promise<void>;
  private readonly answerMs: number;
  private latest: Caller;
  private isKnown = false;

  /** @param onChange called before the call goes on, when the caller has changed */
  constructor(
    app: Pick<App, 'clientProjects'>,
    caller: Caller,
    onChange: (caller: Caller) => Promise<void>,
    answerMs = ANSWER_MS,
  ) {
    this.answerMs = answerMs;
    this.app = app;
    this.own = caller;
    this.latest = caller;
    this.onChange = onChange;
  }

  /** The caller for calls of this client. */
  get caller(): Caller {
    return this.latest;
  }

  /** The client's roots have changed. */
  forget(): void {
    this.isKnown = false;
  }

  /** Asks the client, if it has roots and was not asked. A client that refuses has none. @throws QuestionsAsked, DeskterityError CANCELLED */
  async learn({ client, log }: Pick<RequestChannel, 'client' | 'log'>): Promise<void> {
    if (this.isKnown || !client.canAnswer('roots')) return;
    try {
      const answer = await within(TIMERS, client.ask({ roots: { kind: 'roots' } }), this.answerMs);
      if (answer === undefined) throw tooLate();
      const { folders, refused } = rootFolders(answer.value.roots);
      this.isKnown = true;
      const { caller, projects, applied, ignored, problems } = await this.app.clientProjects(
        this.own,
        folders,
      );
      this.latest = caller;
      log('notice', 'deskterity.roots', { projects, applied, ignored, problems, refused });
    } catch (error) {
      if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
      this.isKnown = true;
      this.latest = this.own;
      log('warning', 'deskterity.roots', { error: error.code, message: error.message });
    }
    await this.onChange(this.latest);
  }
}

function tooLate(): DeskterityError {
  return new DeskterityError('TIMEOUT', 'The client did not tell its roots in time.', {
    suggestion: 'Have the client report that its roots have changed, to be asked again.',
  });
}
