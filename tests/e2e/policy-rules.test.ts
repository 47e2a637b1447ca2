import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { policy } from './support/policy-settings.ts';

const Windows = z.looseObject({ windows: z.array(z.looseObject({ title: z.string(), pid: z.number() })) });
const Explained = z.looseObject({ decision: z.string(), rule: z.string() });
const place = usePlace();

it('holds rules about elements in a real editor, whatever way leads to them, as its file shows', async () => {
  const file = join(place().folder, 'kept.txt');
  await writeFile(file, 'as it was');
  const desk = place().desk.bind(place());
  expect((await desk(['launch', 'mousepad', '--wait', '--', file])).exitCode).toBe(0);
  const { windows } = (await desk(['list-windows'])).ok(Windows);
  const app = String(windows.find(({ title }) => title.includes('kept.txt'))?.pid);
  const text = `app:${app} >> role:textbox`;
  const codes = async (ways: readonly (readonly string[])[], rules: Record<string, string>) => {
    const found: (string | undefined)[] = [];
    for (const way of ways) found.push(/"code": ?"(\w+)"/.exec((await desk(way, rules)).stdout)?.[1]);
    return found;
  };

  await desk(['focus', text]);
  const denied = await policy(
    '[[rule]]\ndecision = "deny"\nlocator = \'window:"kept.txt" >> role:textbox\'\nreason = "It is signed."\n',
  );
  const writing = [
    ['set-value', text, 'changed'],
    ['type', 'changed'],
    ['press', 'x', '--app', app],
    ['do', `set-value '${text}' changed`],
  ];
  expect(await codes(writing, denied)).toEqual(writing.map(() => 'POLICY_DENIED'));
  const explained = await desk(
    ['policy', 'explain', 'type', '--role', 'textbox', '--title', 'kept.txt'],
    denied,
  );
  expect(explained.ok(Explained)).toMatchObject({ decision: 'deny', rule: 'rule 1' });
  const save = ['menu', 'File > Save', '--app', app];
  // There is nothing to save.
  (await desk(save)).error('NOT_ACTIONABLE');
  expect((await desk(['get', 'value', text, '--format', 'text'])).stdout.trim()).toBe('as it was');

  // Without the rule it is written; saving it needs consent, and there is nobody to ask.
  expect((await desk(['set-value', text, 'changed'])).exitCode).toBe(0);
  const asking = await policy('[[rule]]\ndecision = "confirm"\nrole = "menuitem"\nelement = "Save*"\n');
  expect(await codes([save, [...save, '--dry-run']], asking)).toEqual(['CONFIRMATION_REQUIRED', undefined]);
  expect(await readFile(file, 'utf8')).toBe('as it was');

  // An approval for the editor asks nobody, and covers nothing else.
  const from = new Date(Date.now() - 60_000).toISOString();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const unattended = {
    ...(await policy(
      `[[rule]]\ndecision = "confirm"\nrole = "menuitem"\n[unattended.now]\nfrom = ${from}\nuntil = ${until}\napplications = ["mousepad"]\n`,
    )),
    DESKTERITY_UNATTENDED: 'now',
  };
  expect(
    await codes(
      [
        ['clipboard', 'set', 'x'],
        ['terminal', 'execute', 'ls'],
      ],
      unattended,
    ),
  ).toEqual(['POLICY_DENIED', 'POLICY_DENIED']);
  expect((await desk(save, unattended)).exitCode).toBe(0);
  await expect.poll(() => readFile(file, 'utf8')).toContain('changed');
  await desk(['close-app', app, '--force']);
});

it('tightens by the project’s policy, and refuses one that would loosen', async () => {
  const folder = join(place().folder, '.deskterity');
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'policy.toml'), '[commands]\ndenied = ["clipboard *"]\n');
  (await place().desk(['clipboard', 'set', 'x'])).error('POLICY_DENIED');
  await writeFile(join(folder, 'policy.toml'), '[applications]\nexcept = ["/usr/bin/keepassxc"]\n');
  const refused = await place().desk(['list-apps']);
  refused.error('CONFIG_INVALID');
  expect(refused.stdout).toContain('may not lift denials');
  const shown = await place().desk(['policy', 'show']);
  expect(shown.ok(z.looseObject({ problem: z.string() })).problem).toContain('may not lift denials');
});
