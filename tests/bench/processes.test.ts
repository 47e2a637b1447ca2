import { expect, it } from 'vitest';
import { belongingTo, parseStat, processes } from '../../bench/support/processes.ts';

const line = (pid: number, name: string, parent: number, session: number, user: number, system: number) =>
  `${pid} (${name}) S ${parent} ${pid} ${session} 0 -1 4194560 100 0 0 0 ${user} ${system} 7 7 20 0 1 0 12345 1000 10\n`;

it('a line of /proc/PID/stat is read whatever the program is called', () => {
  expect(parseStat(line(12, 'a b) S 9 (x', 3, 5, 40, 2))).toEqual({
    pid: 12,
    parent: 3,
    session: 5,
    ticks: 42,
  });
  expect(parseStat('')).toBeUndefined();
  expect(parseStat('12 (node) S 1')).toBeUndefined();
});

it('children bring all of the sessions they began, and nobody else', () => {
  const all = [
    { pid: 10, parent: 1, session: 10, ticks: 0 },
    { pid: 11, parent: 10, session: 11, ticks: 0 },
    // Its parent has ended.
    { pid: 12, parent: 1, session: 11, ticks: 0 },
    { pid: 13, parent: 12, session: 11, ticks: 0 },
    { pid: 20, parent: 1, session: 20, ticks: 0 },
  ];
  expect(belongingTo(10, all).map(({ pid }) => pid)).toEqual([11, 12, 13]);
  expect(belongingTo(20, all)).toEqual([]);
});

it('this process is among those that run', async () => {
  const own = (await processes()).find(({ pid }) => pid === process.pid);
  expect(own).toMatchObject({ parent: process.ppid });
  expect(own?.ticks).toBeGreaterThan(0);
});
