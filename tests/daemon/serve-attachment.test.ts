import { Duplex } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodeRecord } from '../../src/wire/attach-records.ts';
import { serveAttachment } from '../../src/processes/daemon/serve-attachment.ts';
import type { TerminalSize } from '../../src/model/terminals/terminal-screen.ts';
import type { TerminalAttachment } from '../../src/ports/terminals/attachments.ts';

const open: Duplex[] = [];

afterEach(() => {
  for (const connection of open.splice(0)) connection.destroy();
});

/** The first and later sizes of the terminal for a client of this size. */
function attached(): { readonly connection: Duplex; readonly sizes: TerminalSize[] } {
  const connection = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
  open.push(connection);
  const sizes: TerminalSize[] = [];
  const attachment: TerminalAttachment = {
    name: 'one',
    command: 'attach',
    size: { columns: 120, rows: 40 },
    attach: async ({ size }) => {
      sizes.push(size);
      return {
        write: async () => undefined,
        resize: async (to) => void sizes.push(to),
        detach: () => undefined,
        ended: new Promise(() => undefined),
      };
    },
    leave: () => undefined,
  };
  serveAttachment(connection, attachment);
  return { connection, sizes };
}

describe('an attached client', () => {
  it('gets a terminal of a valid size, whatever its own is', async () => {
    const { connection, sizes } = attached();
    for (const [columns, rows] of [
      [65_535, 40],
      [0, 0],
      [80, 5000],
    ] as const)
      connection.push(encodeRecord({ type: 'size', columns, rows }));
    await vi.waitFor(() => expect(sizes).toHaveLength(3));
    expect(sizes).toEqual([
      { columns: 1000, rows: 40 },
      { columns: 1000, rows: 40 },
      { columns: 80, rows: 1000 },
    ]);
  });

  it('whose own terminal has no size leaves that of the session as it is', async () => {
    const { connection, sizes } = attached();
    connection.push(encodeRecord({ type: 'size', columns: 0, rows: 0 }));
    connection.push(encodeRecord({ type: 'size', columns: 3, rows: 1 }));
    await vi.waitFor(() => expect(sizes).toHaveLength(2));
    // bash crashes in two columns and one row.
    expect(sizes).toEqual([
      { columns: 120, rows: 40 },
      { columns: 8, rows: 2 },
    ]);
  });
});
