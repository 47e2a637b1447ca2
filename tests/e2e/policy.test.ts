import { expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { policy } from './support/policy-settings.ts';

const Windows = z.looseObject({ windows: z.array(z.looseObject({ title: z.string(), ref: z.string() })) });
const place = usePlace();

it('neither reads nor touches a denied application, whatever way leads to it', async () => {
  const fixture = await place().fixture('gtk3');
  const [window] = (await place().desk(['list-windows'])).ok(Windows).windows;
  const ref = window?.ref ?? '';
  const settled = await place().desk(['wait', '--idle', '--app', String(fixture.pid)]);
  expect(settled.exitCode).toBe(0);
  const before = await fixture.events();
  // The program behind it, not what it calls itself.
  const denied = await policy('[applications]\ndenied = ["python3*"]\n');
  const ways = [
    ['snapshot'],
    ['snapshot', '--app', String(fixture.pid)],
    ['snapshot', '--window', ref],
    ['find', 'role:button', '--window', ref],
    ['click', 'role:button'],
    ['press', 'Enter'],
    ['type', 'seen'],
    ['mouse', 'click', '300', '300'],
    ['close-window', '--window', ref],
    ['close-app', String(fixture.pid)],
    ['screenshot', '--window', ref],
  ];
  const held = await Promise.all(
    ways.map(async (way) => {
      const { stdout } = await place().desk(way, denied);
      return {
        way: way[0],
        code: /"code": ?"(\w+)"/.exec(stdout)?.[1],
        tells: stdout.includes(fixture.title),
      };
    }),
  );
  expect(held).toEqual(ways.map(([way]) => ({ way, code: 'POLICY_DENIED', tells: false })));
  expect((await place().desk(['list-windows'], denied)).stdout).not.toContain(fixture.title);
  expect(await fixture.events()).toEqual(before);

  // The same calls reach it without the rule.
  expect((await place().desk(['snapshot', '--window', ref])).stdout).toContain(fixture.title);
});

it('refuses everything while the policy cannot be read, and says where it is wrong', async () => {
  const broken = await policy('mode = "normal"\n[applications\n');
  const reply = await place().desk(['list-apps'], broken);
  reply.error('CONFIG_INVALID');
  expect(reply.stdout).toContain('policy.toml, line 2');
  expect((await place().desk(['config', 'show'], broken)).exitCode).toBe(0);
});

it('only reads in the mode sandboxed, and explains why', async () => {
  const sandboxed = { DESKTERITY_SECURITY_MODE: 'sandboxed' };
  (await place().desk(['clipboard', 'set', 'x'], sandboxed)).error('POLICY_DENIED');
  (await place().desk(['list-apps'], sandboxed)).ok(z.looseObject({}));
  const Explained = z.looseObject({ decision: z.string(), rule: z.string() });
  expect((await place().desk(['policy', 'explain', 'click'], sandboxed)).ok(Explained)).toMatchObject({
    decision: 'deny',
    rule: 'mode sandboxed',
  });
  const vault = ['policy', 'explain', 'snapshot', '--app', '/usr/bin/keepassxc'];
  expect((await place().desk(vault)).ok(Explained).rule).toBe('built-in "keepassxc"');
});
