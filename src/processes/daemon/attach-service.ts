import type { Duplex } from 'node:stream';
import type { App } from '../../app/app.ts';
import { serveAttachment } from './serve-attachment.ts';
import type { Lifetime } from './lifetime.ts';
import type { Hello, AttachTarget } from '../../wire/client-frames.ts';

/** Clients attached to a terminal; each keeps the daemon running. */
export class AttachService {
  private readonly app: Pick<App, 'openAttachment'>;
  private readonly lifetime: Lifetime;
  private readonly connections = new Set<Duplex>();

  constructor({ app, lifetime }: { readonly app: Pick<App, 'openAttachment'>; readonly lifetime: Lifetime }) {
    this.app = app;
    this.lifetime = lifetime;
  }

  /** @throws DeskterityError TERMINAL_NOT_FOUND and other errors of terminals */
  async open(
    target: AttachTarget,
    { pid, cwd, environment }: Hello,
  ): Promise<{
    readonly name: string;
    readonly command: string;
    /** Call it once, with a connection that belongs to the service from then on. */
    readonly serve: (connection: Duplex) => void;
  }> {
    const finish = this.lifetime.begin();
    try {
      const attachment = await this.app.openAttachment({ cwd, environment }, { ...target, pid });
      const { name, command } = attachment;
      return {
        name,
        command,
        serve: (connection) => {
          const release = this.lifetime.hold('attached terminal');
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

  /** Closes all connections; the terminals keep running. */
  end(): void {
    for (const connection of this.connections) connection.destroy();
  }
}
