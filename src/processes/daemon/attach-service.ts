import type { Duplex } from 'node:stream';
import type { App } from '../../app/app.ts';
import { serveAttachment } from './serve-attachment.ts';
import type { Life } from './life.ts';
import type { Hello, TerminalWish } from '../../wire/client-frames.ts';

/** Clients that are attached to a terminal; each keeps the daemon. */
export class AttachService {
  private readonly app: Pick<App, 'openAttachment'>;
  private readonly life: Life;
  private readonly connections = new Set<Duplex>();

  constructor({ app, life }: { readonly app: Pick<App, 'openAttachment'>; readonly life: Life }) {
    this.app = app;
    this.life = life;
  }

  /** @throws DeskterityError TERMINAL_NOT_FOUND and what terminals fail with */
  async open(
    wish: TerminalWish,
    { pid, cwd, environment }: Hello,
  ): Promise<{
    readonly name: string;
    readonly command: string;
    /** To be called once, with a connection that belongs to it from then on. */
    readonly serve: (connection: Duplex) => void;
  }> {
    const finish = this.life.begin();
    try {
      const attachment = await this.app.openAttachment({ cwd, environment }, { ...wish, pid });
      const { name, command } = attachment;
      return {
        name,
        command,
        serve: (connection) => {
          const release = this.life.hold('attached terminal');
          this.connections.add(connection);
          connection.once('close', () => {
            this.connections.delete(connection);
            release();
          });
          serveAttachment(connection, attachment);
        },
      };
    } finally {
      finish();
    }
  }

  /** Ends all connections; the terminals go on. */
  end(): void {
    for (const connection of this.connections) connection.destroy();
  }
}
