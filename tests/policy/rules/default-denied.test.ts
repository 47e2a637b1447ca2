import { expect, it } from 'vitest';
import { mayTakeInput } from '../../../src/policy/rules/default-denied.ts';
import { policy } from '../policy-of.ts';

const program = (executable: string) => ({ executable, otherNames: [], pid: 5 });

it.each([
  ['/usr/bin/xscreensaver', true],
  ['/usr/lib/xscreensaver/xscreensaver-auth', true],
  ['/usr/bin/pinentry-qt', true],
  ['/usr/lib/polkit-1-dde/dde-polkit-agent', true],
  ['/usr/bin/xscreensaver-settings', false],
  ['/usr/bin/xfce4-screensaver-preferences', false],
  ['/usr/bin/lightdm-gtk-greeter-settings', false],
  ['/usr/bin/gcr-viewer', false],
])('%s may take keys that are meant for others: %s; it is denied', (executable, takesInput) => {
  expect(mayTakeInput(program(executable))).toBe(takesInput);
  expect(policy({}).decide({ application: program(executable) }).decision).toBe('deny');
});

it('a locker that calls itself like settings takes keys all the same', () => {
  expect(mayTakeInput({ name: 'x-settings', executable: '/usr/bin/i3lock', pid: 5 })).toBe(true);
});

it.each([
  { executable: '/usr/libexec/xdg-desktop-portal-gnome' },
  { executable: '/usr/lib/x86_64-linux-gnu/libexec/xdg-desktop-portal-kde' },
  { executable: '/usr/bin/python3.11', name: 'xdg-desktop-portal-gtk' },
  { executable: '/usr/bin/hyprland-share-picker' },
])('acts on the dialogs of a portal need consent, and reading does not: %j', (facts) => {
  const application = { ...facts, pid: 5 };
  const asks = { decision: 'confirm', rule: expect.stringMatching(/^built-in "/) };
  expect(policy({}).decide({ application })).toMatchObject(asks);
  expect(policy({}).decide({ application, isReadOnly: true }).decision).toBe('allow');
  expect(policy({ mode: 'sandboxed' }).decide({ command: 'click', application }).decision).toBe('deny');
  for (const applications of [{ except: ['portal dialogs'] }, { denied: [facts.executable] }])
    expect(policy({ applications }).decide({ application }).decision).toBe(
      'except' in applications ? 'allow' : 'deny',
    );
});
