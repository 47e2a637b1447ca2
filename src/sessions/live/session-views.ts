import type { Engine } from '../../engine/engine.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Environment } from '../../model/sessions/caller.ts';
import { byPerson, mentionCommand } from '../../model/text/mention.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { ScreenSize } from '../../ports/desktops.ts';
import type { StopState } from '../../ports/input.ts';
import type { LivePageRequest, PictureRequest, SessionPicture, TakeOver } from '../../ports/sessions.ts';
import type { LiveSession } from '../live-session.ts';
import type { LivePlace } from './shown-session.ts';
import { handBack, takeOver } from './take-over.ts';

/** Of a private desktop. */
export const DEFAULT_SCREEN: ScreenSize = { width: 1920, height: 1080 };

/** The screen of a session as PNG. */
function wholeScreen(engine: Engine, options: CallOptions): ReturnType<Engine['screenshot']> {
  const asked = { screen: true, annotate: false, format: 'png', quality: 80, consent: 'auto' } as const;
  return engine.screenshot({ ...asked, ...options });
}

export interface SessionViewsParts {
  /** Whether this process continues after a call, and so can serve a page. */
  readonly outlivesCalls: boolean;
  /** The desktop as the policy lets it be seen and used: whoever has the address of a page may be an agent. */
  readonly guarded: (desktop: DesktopPort) => DesktopPort;
  readonly showLive: (name: string, place: LivePlace, use: 'watch' | 'control') => Promise<string>;
}

/** What people see of sessions: pictures, the live page, and its controls. */
export class SessionViews {
  private readonly parts: SessionViewsParts;
  private readonly open: (given: string) => Promise<LiveSession>;

  /** @param open the session that a person names; it throws DeskterityError SESSION_NOT_FOUND */
  constructor(parts: SessionViewsParts, open: (given: string) => Promise<LiveSession>) {
    this.parts = parts;
    this.open = open;
  }

  async picture(given: string, request: PictureRequest): Promise<SessionPicture> {
    const session = await this.open(given);
    const { engine } = await session.reachAsViewer(request.environment, DEFAULT_SCREEN);
    const { deadlineMs, signal } = request;
    const { bytes, width, height } = await wholeScreen(engine, { deadlineMs, signal });
    const { display } = session.facts;
    return { bytes, width, height, ...(display === undefined ? {} : { display }) };
  }

  async livePage(
    given: string,
    { environment, mayControl }: LivePageRequest,
  ): Promise<{ url: string; display?: string | undefined }> {
    const session = await this.requireShowable(given);
    const desktop = async () =>
      this.parts.guarded((await session.reachAsViewer(environment, DEFAULT_SCREEN)).desktop);
    // Try now, so that errors are reported here and not on the page.
    await desktop();
    const { name, acts } = session;
    const place: LivePlace = {
      name,
      acts,
      desktop,
      get isOver() {
        return session.isOver;
      },
    };
    const { display } = session.facts;
    const url = await this.parts.showLive(name, place, mayControl ? 'control' : 'watch');
    return { url, ...(display === undefined ? {} : { display }) };
  }

  async takeOver(given: string, environment: Environment): Promise<TakeOver> {
    const session = await this.requireShowable(given);
    const { desktop } = await session.reachAsViewer(environment, DEFAULT_SCREEN);
    const { since } = await takeOver(desktop, session.name);
    const { url } = await this.livePage(given, { environment, mayControl: true });
    return { name: session.name, url, ...(since === undefined ? {} : { since }) };
  }

  async handBack(given: string, environment: Environment): Promise<StopState> {
    const session = await this.open(given);
    const { desktop } = await session.reachAsViewer(environment, DEFAULT_SCREEN);
    return handBack(desktop);
  }

  /** A session that a page can show. @throws DeskterityError SESSION_NOT_FOUND, DAEMON_UNAVAILABLE */
  private async requireShowable(given: string): Promise<LiveSession> {
    const session = await this.open(given);
    if (this.parts.outlivesCalls) return session;
    throw new DeskterityError('DAEMON_UNAVAILABLE', 'A live page would end with this call.', {
      suggestion: `${byPerson('Start this without --no-daemon')}, or take one picture: ${mentionCommand('session view')}.`,
    });
  }
}
