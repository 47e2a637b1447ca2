import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TerminalSize } from '../../src/model/terminals/terminal-screen.ts';
import type { TerminalsPort } from '../../src/ports/terminals.ts';
import { screenText } from '../terminal/support/screen-text.ts';
import { TerminalEmulator } from '../../src/terminal/screen/terminal-emulator.ts';
import { ran, request, useTerminalsLab, WAITS } from '../terminal/support/terminals-lab.ts';
import { until } from '../until.ts';

const lab = useTerminalsLab();
const SIZE = { columns: 100, rows: 30 };

/** A person attached with their own terminal. */
async function sitDown(
  terminals: TerminalsPort,
  id: string,
  { size = SIZE, takes = () => undefined }: { size?: TerminalSize; takes?: () => void | Promise<void> } = {},
) {
  const emulator = new TerminalEmulator({ size });
  const own = new AbortController();
  let bytes = 0;
  let feeding: Promise<unknown> = Promise.resolve();
  const attached = await terminals.attach(id, {
    size,
    onBytes: (piece) => {
      bytes += piece.length;
      feeding = feeding.then(() => emulator.feed(piece));
      return takes();
    },
    signal: own.signal,
  });
  return {
    attached,
    emulator,
    leave: () => own.abort(),
    bytes: () => bytes,
    sees: async () => {
      await feeding;
      return screenText(emulator);
    },
  };
}

async function rowsOf(terminals: TerminalsPort, id: string): Promise<string> {
  const view = await terminals.view(id);
  const { screen } = await view.read({ deadlineMs: 2000, scrollbackLines: 0 });
  return screen.rows
    .map(({ text }) => text)
    .join('\n')
    .trimEnd();
}

describe('an attached client', () => {
  it('sees the current screen and later output, types, and sets the size', async () => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    await ran(terminals, id, String.raw`printf 'plain \033[1;31mred\033[0m 日本 é\n'`);
    const one = await sitDown(terminals, id);
    await until(async () => (await one.sees()).includes('plain red 日本 é'), 'the screen is drawn');
    expect((await terminals.facts(id)).attached).toBe(1);
    await one.attached.write(Buffer.from('stty size; echo $((6*7))\r'));
    await until(async () => (await one.sees()).includes('\n42\n'), 'what comes is shown');
    expect(await one.sees()).toContain('\n30 100\n');
    const other = await sitDown(terminals, id, { size: { columns: 80, rows: 20 } });
    await other.attached.resize({ columns: 90, rows: 25 });
    await other.attached.write(Buffer.from('stty size\r'));
    await until(async () => (await other.sees()).includes('25 90'), 'the last one has the say');
    expect((await terminals.facts(id)).size).toEqual({ columns: 90, rows: 25 });
    one.leave();
    expect(await one.attached.ended).toMatchObject({ kind: 'detached' });
    await until(async () => (await terminals.facts(id)).attached === 1, 'one has left');
    await other.attached.write(Buffer.from('exit\r'));
    expect(await other.attached.ended).toMatchObject({ kind: 'exited' });
    await expect(sitDown(terminals, id)).rejects.toMatchObject({ code: 'TERMINAL_NOT_FOUND' });
  });

  it('sees the alternate screen and the normal one behind it; no query is answered twice', async () => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    await ran(terminals, id, 'seq 3');
    const script = String.raw`stty -icanon -echo; printf '\033[?1049h\033[?1000h\033[?1006h\033[5;7Hhere\033[6n'; read -d R -r answer; printf '\033[7;1H%q' "$answer"; read -n 1; printf '\033[?1049l\033[?1000l'`;
    expect((await ran(terminals, id, script)).terminal.state).toBe('full_screen');
    const one = await sitDown(terminals, id, { size: { columns: 120, rows: 40 } });
    await until(async () => (await one.sees()).includes("5;11'"), 'its screen is drawn');
    expect(one.emulator).toMatchObject({
      isAlternate: true,
      modes: { mouseTracking: 'vt200', isSgrMouse: true },
    });
    expect(await one.sees()).toBe(await rowsOf(terminals, id));
    // The program queried once, and the emulator in the holder replied.
    expect(one.emulator.takeAnswers()).toHaveLength(0);
    await one.attached.write(Buffer.from('x'));
    await until(async () => (await terminals.facts(id)).state === 'idle', 'it has ended');
    await until(async () => (await one.sees()).endsWith('$'), 'the prompt is there');
    expect(one.emulator.isAlternate).toBe(false);
    expect(await one.sees()).toBe(await rowsOf(terminals, id));
    await terminals.run(id, request(String.raw`printf '\033[c\033[6n'`), new AbortController().signal);
    expect(one.emulator.takeAnswers()).toHaveLength(0);
  });

  it('that reads slowly delays nobody and ends up with the right screen', async () => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    let wake: () => void = () => undefined;
    const awake = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let waiting = 0;
    const slow = await sitDown(terminals, id, {
      size: { columns: 120, rows: 40 },
      takes: async () => {
        waiting += 1;
        await awake;
      },
    });
    const command = String.raw`seq 250000 | sed 's/$/ \x1b[32mgreen\x1b[0m/'`;
    const { range, kind } = await ran(terminals, id, command, { lines: 1, waitMs: 40_000 });
    expect(kind).toBe('completed');
    expect((range?.to ?? 0) - (range?.from ?? 0)).toBeGreaterThan(5_000_000);
    expect(waiting).toBeGreaterThan(0);
    wake();
    const right = await rowsOf(terminals, id);
    await until(async () => (await slow.sees()) === right, 'it has the screen');
    expect(slow.bytes()).toBeLessThan(2_000_000);
    await terminals.close(id, WAITS);
    expect(await slow.attached.ended).toMatchObject({ kind: 'exited' });
  });
});

describe('a watcher of a screen', () => {
  it('receives updates at a bounded rate, until the terminal ends', async () => {
    const terminals = lab().terminals();
    const { id } = await terminals.open(lab().start());
    const view = await terminals.view(id);
    let heard = 0;
    const stop = view.watch(() => (heard += 1));
    const others = [view.watch(() => undefined), view.watch(() => undefined)];
    await until(async () => {
      await view.write(Buffer.from('\r'), { deadlineMs: 1000 });
      await sleep(30);
      return heard > 0;
    }, 'it is heard of');
    const before = heard;
    const begun = performance.now();
    const enough = path.join(lab().home, 'enough');
    const running = ran(terminals, id, `until [ -e '${enough}' ]; do echo more; done`, {
      lines: 1,
      interrupt: WAITS,
    });
    await until(() => heard - before > 5, 'it is updated again and again');
    await writeFile(enough, '');
    await running;
    expect(heard - before).toBeLessThan((performance.now() - begun) / 10 + 3);
    for (const each of others) each();
    await terminals.close(id, WAITS);
    await until(() => !view.isAlive(), 'its end is heard of');
    stop();
    await expect(view.read({ deadlineMs: 1000, scrollbackLines: 0 })).rejects.toMatchObject({
      code: 'TERMINAL_NOT_FOUND',
    });
  });
});
