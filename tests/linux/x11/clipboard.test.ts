import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { encodePng } from '../../../src/image/png.ts';
import { X11Clipboard } from '../../../src/platform/linux/display/x11/clipboard/clipboard.ts';
import { SelectionClient } from '../../../src/platform/linux/display/x11/clipboard/selection-client.ts';
import { words } from '../../../src/platform/linux/display/x11/properties.ts';
import { SelectionPeer } from './selection-peer.ts';
import { TestServer } from './x-server.ts';

const CALL = { deadlineMs: 5000 };
const EMOJI = 'zażółć 日本 😀\tline\nnext';
const PNG = encodePng({
  width: 300,
  height: 200,
  bgrx: new Uint8Array(300 * 200 * 4).map((_, index) => (index * 7919) % 251),
  origin: { x: 0, y: 0 },
  scale: 1,
});

/** A GTK 3 program that reads or owns the clipboard with the toolkit's own code. */
const GTK = `
import sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk, GdkPixbuf, GLib
board = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
doing = sys.argv[1]
if doing == "read":
    sys.stdout.write(board.wait_for_text() or "")
elif doing == "read-image":
    image = board.wait_for_image()
    sys.stdout.write("%dx%d" % (image.get_width(), image.get_height()))
else:
    if doing == "own":
        board.set_text(sys.stdin.read(), -1)
    else:
        image = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 40, 30)
        image.fill(0x112233ff)
        board.set_image(image)
    sys.stdout.write("owned")
    sys.stdout.flush()
    Gtk.main()
`;
import { until } from '../../until.ts';

describe('the clipboard of an X display', () => {
  let server: TestServer;
  const open: { close: () => unknown }[] = [];

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  afterAll(() => {
    server.stop();
  });

  const clipboard = (): X11Clipboard => {
    const made = new X11Clipboard((options) => SelectionClient.open(server.display, options));
    open.push(made);
    return made;
  };
  const peer = async (): Promise<SelectionPeer> => {
    const made = await SelectionPeer.open(server.display);
    open.push(made);
    return made;
  };
  const write = (board: X11Clipboard, text: string) =>
    board.write({ ...CALL, content: { kind: 'text', text }, outlivesCall: true });
  const gtk = async (doing: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', GTK, doing], {
      env: server.environment,
      maxBuffer: 64e6,
      timeout: 30_000,
    });
    return stdout;
  };
  const gtkOwner = async (doing: string, text = ''): Promise<void> => {
    const child = spawn('/usr/bin/python3', ['-c', GTK, doing], {
      env: server.environment,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    open.push({ close: () => child.kill('SIGKILL') });
    child.stdin.end(text);
    await new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => resolve());
      child.once('exit', () => reject(new Error('the GTK program ended')));
    });
  };

  describe('content that we own', () => {
    it('is read by a GTK program, emoji and all', async () => {
      const formats = await write(clipboard(), EMOJI);
      expect(formats).toEqual(['UTF8_STRING', 'text/plain;charset=utf-8']);
      expect(await gtk('read')).toBe(EMOJI);
    });

    it('is transferred in pieces when it is large', async () => {
      const text = '0123456789abcde\n'.repeat(327_680);
      const board = clipboard();
      await write(board, text);
      expect(await gtk('read')).toBe(text);
      expect(await board.read('text', CALL)).toEqual({ kind: 'text', text });
    });

    it('may be an image', async () => {
      const board = clipboard();
      await board.write({ ...CALL, content: { kind: 'image', png: PNG }, outlivesCall: true });
      expect(await gtk('read-image')).toBe('300x200');
      expect(await board.read('image', CALL)).toEqual({ kind: 'image', png: PNG });
      expect(await board.formats(CALL)).toEqual({ names: ['image/png'], text: false, image: true });
      await expect(board.read('text', CALL)).rejects.toMatchObject({ code: 'CLIPBOARD_EMPTY' });
    });

    it('is offered as Latin-1 if the text allows it', async () => {
      const other = await peer();
      await write(clipboard(), 'café');
      expect(await other.ask('STRING')).toEqual(Buffer.from('café', 'latin1'));
      await write(clipboard(), '日本');
      expect(await other.ask('STRING')).toBeUndefined();
    });

    it('has targets and a timestamp, and can be requested in several forms at once', async () => {
      const other = await peer();
      await write(clipboard(), 'x');
      const { client } = other;
      const names = ['TARGETS', 'MULTIPLE', 'TIMESTAMP', 'SAVE_TARGETS', 'UTF8_STRING'] as const;
      expect((await other.ask('TARGETS'))?.subarray(0, 20)).toEqual(
        words(names.map((name) => client.wire.atom(name))),
      );
      const since = (await other.ask('TIMESTAMP'))?.readUInt32LE(0) ?? 0;
      expect(since).toBeGreaterThan(0);
      expect(await other.ask('UTF8_STRING', since - 1)).toBeUndefined();
      const [text, place, image] = [
        client.wire.atom('UTF8_STRING'),
        client.wire.atom('_DESKTERITY_TIME'),
        client.wire.atom('image/png'),
      ];
      const pairs = await other.ask('MULTIPLE', undefined, words([text, place, image, place]));
      expect(pairs).toEqual(words([text, place, image, 0]));
      expect((await other.property(place)).toString()).toBe('x');
    });

    it('is given up when another program copies', async () => {
      const [one, two] = [clipboard(), clipboard()];
      await write(one, 'one');
      expect(one.isOwned).toBe(true);
      await write(two, 'two');
      await until(() => !one.isOwned, 'the first to notice');
      expect(two.isOwned).toBe(true);
      expect(await one.read('text', CALL)).toEqual({ kind: 'text', text: 'two' });
      await one.clear(CALL);
      await until(() => !two.isOwned, 'the second to notice');
      expect(await two.formats(CALL)).toEqual({ names: [], text: false, image: false });
      await expect(two.read('text', CALL)).rejects.toMatchObject({ code: 'CLIPBOARD_EMPTY' });
    });

    it('survives a reader that disconnects in the middle', async () => {
      const board = clipboard();
      await write(board, 'x'.repeat(1_000_000));
      const other = await peer();
      await other.ask('UTF8_STRING');
      other.close();
      expect(await board.read('text', CALL)).toMatchObject({ kind: 'text' });
      expect(board.isOwned).toBe(true);
    });

    it('a display that does not respond blocks neither a call nor closing', async () => {
      const frozen = await TestServer.start({ manager: false });
      const board = new X11Clipboard((options) => SelectionClient.open(frozen.display, options));
      try {
        await write(board, 'x');
        frozen.process.kill('SIGSTOP');
        const started = performance.now();
        await expect(board.read('text', { deadlineMs: 300 })).rejects.toMatchObject({
          code: 'DISPLAY_UNAVAILABLE',
        });
        await board.close();
        expect(performance.now() - started).toBeLessThan(6000);
        expect(board.isOwned).toBe(false);
      } finally {
        frozen.process.kill('SIGCONT');
        frozen.stop();
      }
    });

    it('is lost with its owner without a clipboard manager, and refused for a process that exits immediately', async () => {
      const board = clipboard();
      await write(board, 'x');
      await board.close();
      expect(board.isOwned).toBe(false);
      const other = clipboard();
      expect((await other.formats(CALL)).names).toEqual([]);
      await expect(
        other.write({ ...CALL, content: { kind: 'text', text: 'x' }, outlivesCall: false }),
      ).rejects.toMatchObject({ code: 'DAEMON_UNAVAILABLE' });
      expect((await other.formats(CALL)).names).toEqual([]);
    });

    it.each([true, false])(
      'is handed over to a clipboard manager (by a process that stays: %s)',
      async (outlivesCall) => {
        const manager = await peer();
        const asked: string[] = [];
        const saved = new Promise<string>((resolve) => {
          void manager.own(async (target) => {
            asked.push(target);
            const text = (await manager.ask('UTF8_STRING'))?.toString() ?? '';
            resolve(text);
            const answer = (wanted: string) =>
              wanted === 'TARGETS'
                ? manager.targets('UTF8_STRING')
                : { type: 'UTF8_STRING' as const, format: 8 as const, data: Buffer.from(text) };
            await manager.own(answer);
            return { type: 'NULL', format: 32, data: Buffer.alloc(0) };
          }, 'CLIPBOARD_MANAGER');
        });
        const look = await peer();
        await until(async () => (await look.client.ownerOf(look.client.manager)) !== 0, 'the manager');
        const board = clipboard();
        await board.write({ ...CALL, content: { kind: 'text', text: 'kept' }, outlivesCall });
        await board.close();
        expect(await saved).toBe('kept');
        expect(asked).toEqual(['SAVE_TARGETS']);
        expect(await clipboard().read('text', CALL)).toEqual({ kind: 'text', text: 'kept' });
      },
    );
  });

  describe('a watch', () => {
    it('reports every change by any program without reading the content', async () => {
      const board = clipboard();
      const changes: string[] = [];
      const asked: string[] = [];
      const end = await board.watch((change) => changes.push(change), CALL);
      const next = async (doing: string, act: () => unknown): Promise<void> => {
        const before = changes.length;
        await act();
        await until(() => changes.length > before, doing);
        expect([doing, changes.length - before]).toEqual([doing, 1]);
      };
      const other = await peer();
      const own = () => other.own((target) => void asked.push(target));
      await next('another program copies', own);
      await next('the same one copies again', own);
      await next('a GTK program copies', () => gtkOwner('own', 'secret'));
      await next('we copy', () => write(clipboard(), 'ours'));
      await next('it is emptied', () => clipboard().clear(CALL));
      await next('another program copies once more', own);
      await next('that one ends', () => other.close());
      expect(new Set(changes)).toEqual(new Set(['changed']));
      expect(asked).toEqual([]);
      const second: string[] = [];
      await board.watch((change) => second.push(change), CALL);
      end();
      end();
      await write(clipboard(), 'unheard');
      await until(() => second.length === 1, 'the second watch');
      expect(changes).toHaveLength(7);
      await board.close();
      expect(second).toEqual(['changed', 'lost']);
    });

    it('reports the end of the display once', async () => {
      const own = await TestServer.start({ manager: false });
      const board = new X11Clipboard((options) => SelectionClient.open(own.display, options));
      try {
        const changes: string[] = [];
        await board.watch((change) => changes.push(change), CALL);
        own.process.kill('SIGKILL');
        await until(() => changes.length > 0, 'the loss');
        await board.close();
        expect(changes).toEqual(['lost']);
        await expect(board.watch(() => undefined, { deadlineMs: 1000 })).rejects.toMatchObject({
          code: 'DISPLAY_UNAVAILABLE',
        });
      } finally {
        own.stop();
      }
    });

    it('is refused if the display does not report changes', async () => {
      const board = new X11Clipboard(async (options) => {
        const client = await SelectionClient.open(server.display, options);
        // Xvfb without XFIXES crashes at the first client.
        client.wire.extension = async () => undefined;
        return client;
      });
      await expect(board.watch(() => undefined, CALL)).rejects.toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
      });
    });
  });

  describe('content of other programs', () => {
    it('is read from a GTK program: text, large text, an image', async () => {
      const board = clipboard();
      await gtkOwner('own', EMOJI);
      expect(await board.read('text', CALL)).toEqual({ kind: 'text', text: EMOJI });
      const large = 'ä'.repeat(2_500_000);
      await gtkOwner('own', large);
      expect(await board.read('text', CALL)).toEqual({ kind: 'text', text: large });
      await gtkOwner('own-image');
      expect(await board.formats(CALL)).toMatchObject({ text: false, image: true });
      expect(await board.read('image', CALL)).toMatchObject({ kind: 'image' });
    });

    it('is read as Latin-1 if the owner offers nothing better or no list of targets', async () => {
      const other = await peer();
      await other.own((target) =>
        target === 'STRING'
          ? { type: 'STRING', format: 8, data: Buffer.from('café\0', 'latin1') }
          : undefined,
      );
      expect(await clipboard().read('text', CALL)).toEqual({ kind: 'text', text: 'café' });
    });

    it('an owner that refuses has no content', async () => {
      const other = await peer();
      await other.own((target) => (target === 'TARGETS' ? other.targets('UTF8_STRING') : undefined));
      await expect(clipboard().read('text', CALL)).rejects.toMatchObject({ code: 'CLIPBOARD_EMPTY' });
    });

    it('an owner that hangs is named at the deadline', async () => {
      const other = await peer();
      await other.client.setProperty(other.client.window, await other.client.wire.internAtom('WM_NAME'), {
        type: other.client.wire.atom('STRING'),
        format: 8,
        data: Buffer.from('Sleepy'),
      });
      await other.own(() => new Promise(() => undefined));
      const started = performance.now();
      await expect(clipboard().read('text', { deadlineMs: 400 })).rejects.toMatchObject({
        code: 'TIMEOUT',
        message: 'The owner of the clipboard, "Sleepy", did not send its content in time.',
      });
      expect(performance.now() - started).toBeLessThan(1500);
    });

    it('an owner that exits during a read is noticed immediately', async () => {
      const other = await peer();
      await other.own((target) => {
        if (target === 'TARGETS') return other.targets('UTF8_STRING');
        other.close();
        return undefined;
      });
      const started = performance.now();
      await expect(clipboard().read('text', { deadlineMs: 20_000 })).rejects.toMatchObject({
        code: 'CLIPBOARD_EMPTY',
        retryable: true,
      });
      expect(performance.now() - started).toBeLessThan(5000);
    });

    it.each(['text', 'image'] as const)(
      'an owner that sends something other than its offered %s is detected',
      async (kind) => {
        const other = await peer();
        await other.own((target) =>
          target === 'TARGETS'
            ? other.targets('UTF8_STRING', 'image/png')
            : { type: 'INTEGER', format: 32, data: words([1, 2]) },
        );
        await expect(clipboard().read(kind, CALL)).rejects.toMatchObject({ code: 'ACTION_FAILED' });
      },
    );

    it('endless data is aborted', async () => {
      const other = await peer();
      const { client } = other;
      const piece = Buffer.alloc(200_000, 'x');
      await other.own(async (target, { requestor = 0, property = 0 }) => {
        if (target === 'TARGETS') return other.targets('UTF8_STRING');
        await client.wire.call('ChangeWindowAttributes', requestor, { eventMask: 0x40_0000 });
        client.wire.onEvent(({ name, wid, state }) => {
          if (name !== 'PropertyNotify' || wid !== requestor || state !== 1) return;
          void client.setProperty(requestor, property, {
            type: client.wire.atom('UTF8_STRING'),
            format: 8,
            data: piece,
          });
        });
        return { type: 'INCR', format: 32, data: words([10]) };
      });
      await expect(clipboard().read('text', { deadlineMs: 20_000 })).rejects.toMatchObject({
        code: 'ACTION_FAILED',
        message: expect.stringMatching(/^The owner of the clipboard, .*, sent more than 16 MiB/),
      });
    });
  });
});
