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
