import { expect, it } from 'vitest';
import { ShellDriver } from '../../src/terminal/shells/shell-driver.ts';
import { ShellProtocol } from '../../src/terminal/shells/shell-protocol.ts';

const TOKEN = 'feedfeedfeedfeedfeedfeedfeedfeed';
const mark = (body: string): string => `\u{1B}]8571;${TOKEN};${body}\u{7}`;

/** A driver without a terminal, on a clock that stands still until it is set. */
function aDriver() {
  const clock = { nowMs: 0, now: () => clock.nowMs, sleep: () => Promise.resolve() };
  const nothing = () => undefined;
  const driver = new ShellDriver({
    protocol: new ShellProtocol({ kind: 'bash', token: TOKEN, startedMs: 0, keptBytes: 1000 }),
    files: {
      write: nothing,
      writeHooks: nothing,
      removeHooks: nothing,
      removeCommand: nothing,
      removeAll: nothing,
    },
    display: { show: () => Promise.resolve(), settled: () => Promise.resolve() },
    clock,
    type: nothing,
    onLeftCommandEnd: nothing,
  });
  const receive = (text: string, atMs: number) => {
    clock.nowMs = atMs;
    return driver.receive(Buffer.from(text));
  };
  /** How long ago, to 50 ms: the result is a time of day. */
  const agoMs = () => {
    const { notBegunBefore } = driver;
    return notBegunBefore && Math.round((Date.now() - notBegunBefore.getTime()) / 50) * 50;
  };
  return { driver, clock, receive, agoMs };
}

it('a command may have started processes before its first mark is read', async () => {
  const { driver, clock, receive, agoMs } = aDriver();
  await receive(`${mark('p;0;0;/')}$ `, 1000);
  expect(agoMs()).toBeUndefined();
  clock.nowMs = 5000;
  driver.run('(setsid server &); wait', { isBackground: true, waitMs: 60_000 }, () => undefined);
  expect(agoMs()).toBe(0);
  await receive(`${mark('x;0;')}${mark('b;1')}`, 9000);
  expect(driver.state.kind).toBe('running');
  expect(agoMs()).toBe(4000);
  await receive(`${mark('e;1;0;/')}${mark('p;1;0;/')}$ `, 10_000);
  expect(agoMs()).toBeUndefined();
});

it('a line typed by hand begins after its first key, or after the prompt if it was typed ahead', async () => {
  const { driver, clock, receive, agoMs } = aDriver();
  await receive(`${mark('p;0;0;/')}$ `, 1000);
  clock.nowMs = 20_000;
  driver.touch();
  clock.nowMs = 21_000;
  driver.touch();
  await receive(mark('x;0;'), 25_000);
  expect(agoMs()).toBe(5000);
  // Keys for the program, or for the next line.
  clock.nowMs = 26_000;
  driver.touch();
  expect(agoMs()).toBe(6000);
  await receive(`${mark('p;0;0;/')}$ `, 30_000);
  await receive(mark('x;0;'), 32_000);
  expect(agoMs()).toBe(2000);
});
