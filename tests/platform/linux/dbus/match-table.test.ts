import { expect, it } from 'vitest';
import { MatchTable, type MatchCall } from '../../../../src/platform/linux/dbus/match-table.ts';

const RULE = "type='signal'";
const SETTINGS = { deadlineMs: 1000 };

/** A bus that answers when it is told, and counts rules as a bus does. */
function bus() {
  let count = 0;
  const replies: (() => void)[] = [];
  const call: MatchCall = (member) =>
    new Promise((resolve) => {
      count += member === 'AddMatch' ? 1 : -1;
      replies.push(resolve);
    });
  const reply = async (): Promise<void> => {
    for (const answer of replies.splice(0)) answer();
    await new Promise(setImmediate);
  };
  return { table: new MatchTable(call), reply, count: () => count };
}

it('has a rule once, however many users come before the first reply', async () => {
  const { table, reply, count } = bus();
  const users = [0, 1, 2].map(() => table.add(RULE, SETTINGS));
  await reply();
  expect(count()).toBe(1);
  const [last, ...others] = await Promise.all(users);
  await Promise.all(others.map((leave) => leave()));
  expect(count()).toBe(1);
  const leaving = last?.();
  await reply();
  await leaving;
  expect(count()).toBe(0);
});

it('adds a rule again after its last user has left', async () => {
  const { table, reply, count } = bus();
  const add = async (): Promise<() => Promise<void>> => {
    const adding = table.add(RULE, SETTINGS);
    await reply();
    return adding;
  };
  const leave = await add();
  const leaving = Promise.all([leave(), leave()]);
  await reply();
  await leaving;
  expect(count()).toBe(0);
  await add();
  expect(count()).toBe(1);
});
