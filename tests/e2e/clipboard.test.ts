import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { encodePng } from '../../src/image/png.ts';
import { usePlace } from './harness.ts';

const Got = z.looseObject({ text: z.string().optional(), bytes: z.int() });
const Set = z.looseObject({ effect: z.string(), formats: z.array(z.string()) });
const Has = z.looseObject({ has_image: z.boolean() });

/** Programs that use only the toolkit. */
const PASTE = `
import sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk
sys.stdout.write(Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).wait_for_text() or "nothing")
`;
const COPY = `
import sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk
Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_text(sys.argv[1], -1)
sys.stdout.write("copied")
sys.stdout.flush()
Gtk.main()
`;

const place = usePlace();
const paste = () => place().run('/usr/bin/python3', ['-c', PASTE]);

async function copyElsewhere(text: string): Promise<void> {
  const child = spawn('/usr/bin/python3', ['-c', COPY, text], {
    env: { ...place().desktop.environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => reject(new Error('the copying program ended')));
  });
}

it('keeps a text after the call, until another program copies something', async () => {
  const text = 'zażółć 日本 😀\nsecond line';
  const answer = (await place().desk(['clipboard', 'set', text])).ok(Set);
  expect(answer).toMatchObject({ effect: 'confirmed', formats: ['UTF8_STRING', 'text/plain;charset=utf-8'] });
  expect(await paste()).toBe(text);
  const { stdout } = await place().desk(['clipboard', 'get', '--format', 'text']);
  expect(stdout).toContain(text);

  await copyElsewhere('from elsewhere');
  expect((await place().desk(['clipboard', 'get'])).ok(Got).text).toBe('from elsewhere');
  expect((await place().desk(['clipboard', 'get', '--no-daemon'])).ok(Got).text).toBe('from elsewhere');
});

it('puts a secret on the clipboard and into no answer', async () => {
  const secret = 'hunter2-and-more';
  const reply = await place().desk(['clipboard', 'set', '--from-env', 'SECRET'], { SECRET: secret });
  expect(reply.ok(Set).effect).toBe('confirmed');
  expect(reply.stdout).not.toContain(secret);
  expect(reply.stdout).not.toContain('"bytes"');
  expect(await paste()).toBe(secret);
});

it('reads and writes pictures', async () => {
  const [width, height] = [500, 400];
  const bgrx = new Uint8Array(width * height * 4).map((_, index) => (index * 7919) % 251);
  const png = encodePng({ width, height, bgrx, origin: { x: 0, y: 0 }, scale: 1 });
  await writeFile(join(place().folder, 'in.png'), png);
  expect((await place().desk(['clipboard', 'set', '--image', 'in.png'])).ok(Set).effect).toBe('confirmed');
  expect((await place().desk(['clipboard', 'has-image'])).ok(Has).has_image).toBe(true);
  (await place().desk(['clipboard', 'get', '--image', 'out.png'])).ok(Got);
  expect(await readFile(join(place().folder, 'out.png'))).toEqual(png);
  (await place().desk(['clipboard', 'get'])).error('CLIPBOARD_EMPTY');

  await writeFile(join(place().folder, 'no.png'), 'GIF89a');
  (await place().desk(['clipboard', 'set', '--image', 'no.png'])).error('INVALID_ARGUMENT');
});

it('is empty for every program after it is cleared', async () => {
  (await place().desk(['clipboard', 'set', 'x'])).ok(Set);
  expect((await place().desk(['clipboard', 'clear'])).ok(Set).effect).toBe('confirmed');
  expect(await paste()).toBe('nothing');
  (await place().desk(['clipboard', 'get'])).error('CLIPBOARD_EMPTY');
  expect((await place().desk(['clipboard', 'has-image'])).ok(Has).has_image).toBe(false);
});

it('refuses content that would be lost at the end of the call', async () => {
  (await place().desk(['clipboard', 'clear'])).ok(Set);
  const failure = (await place().desk(['clipboard', 'set', 'x', '--no-daemon'])).error('DAEMON_UNAVAILABLE');
  expect(failure.delivered).toBe(false);
  expect(await paste()).toBe('nothing');
});

it('keeps the idle daemon that holds it running; when the daemon is stopped, the text is lost', async () => {
  const short = { DESKTERITY_DAEMON_IDLE_TIMEOUT_MS: '1000' };
  (await place().desk(['clipboard', 'set', 'kept'], short)).ok(Set);
  const pid = place().daemonPid();
  // Longer than the idle timeout of the daemon.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(place().daemonPid()).toBe(pid);
  expect(await paste()).toBe('kept');
  expect((await place().desk(['daemon', 'stop'])).exitCode).toBe(0);
  expect(place().daemonPid()).toBeUndefined();
  expect(await paste()).toBe('nothing');
});
