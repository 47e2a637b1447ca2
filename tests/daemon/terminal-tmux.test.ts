import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { envelope, useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab({ hasHolder: true });
const isThere = (() => {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }) !== '';
  } catch {
    return false;
  }
})();

let pid = '';

function socket(): string {
  return join(lab().folder, 'tmux.sock');
}

function tmux(...args: readonly string[]): string {
  const env = lab().environment({ TERM: 'xterm', SHELL: '/bin/bash' });
  return execFileSync('tmux', ['-S', socket(), '-f', '/dev/null', ...args], { encoding: 'utf8', env }).trim();
}

/** A call from inside a tmux session. */
async function from(
  session: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv = {},
): Promise<string> {
  const [id = '', pane = ''] = tmux('display-message', '-p', '-t', session, '#{session_id} #{pane_id}').split(
    ' ',
  );
  const inTmux = { TMUX: `${socket()},${pid},${id.slice(1)}`, TMUX_PANE: pane };
  const ran = await lab().desk(args, { ...inTmux, SHELL: '/bin/bash', ...settings });
  const { ok, message } = envelope(ran);
  if (!ok) throw new Error(ran.stdout);
  return String(message);
}

/** Title of each window; the active one has a star. */
function windowsOf(session: string): string[] {
  const lines = tmux('list-windows', '-t', session, '-F', '#{?window_active,*,}#{pane_title}');
  return lines.split('\n').map((line) => line.replace(/::TERMINATOR.*::TAG=([^:]*)::.*/, '$1'));
}

describe.skipIf(!isThere)(
  `terminals in windows of tmux${isThere ? '' : ' (skipped: tmux is not installed)'}`,
  () => {
    beforeEach(() => {
      for (const session of ['one', 'two']) {
        tmux('new-session', '-d', '-s', session, '-x', '90', '-y', '30', 'sleep 600');
        tmux('select-pane', '-t', session, '-T', 'mine');
      }
      pid = tmux('display-message', '-p', '#{pid}');
    });
    afterEach(() => tmux('kill-server'));

    it('open in the background beside those of their project and come to the front with focus', async () => {
      await from('one', ['terminal', 'execute', '--tag', 'a', '--', 'true']);
      await from('one', ['terminal', 'execute', '--tag', 'b', '--', 'true']);
      await from('one', ['terminal', 'execute', '--tag', 'c', '--', 'true']);
      expect(await from('one', ['terminal', 'open', '--tag', 'a'])).toMatch(
        /Shown by tmux\. Via tmux window/,
      );
      await expect.poll(() => windowsOf('one')).toEqual(['*mine', 'a']);

      expect(await from('two', ['terminal', 'open', '--tag', 'b'])).toMatch(/Via tmux tab/);
      await expect.poll(() => windowsOf('one')).toEqual(['*mine', 'a', 'b']);
      const off = { DESKTERITY_TERMINAL_WINDOW_GROUPING: 'off' };
      await from('two', ['terminal', 'attach', '--open', 'c'], off);
      await expect.poll(() => windowsOf('two')).toEqual(['*mine', 'c']);

      const pane = tmux('list-panes', '-s', '-t', 'two', '-F', '#{pane_id}').split('\n')[1];
      const { sessions } = envelope(await lab().desk(['terminal', 'list']));
      expect(sessions).toContainEqual(
        expect.objectContaining({ tag: 'c', attached: 1, window_identifier: '$1', tab_identifier: pane }),
      );

      await from('one', ['terminal', 'focus', '--tag', 'b']);
      expect(windowsOf('one')).toEqual(['mine', 'a', '*b']);
      const file = join(lab().folder, 'typed');
      tmux('send-keys', '-t', 'one', `stty size > ${file}`, 'Enter');
      await until(
        () => existsSync(file) && /^(?:29|30) 90$/m.test(readFileSync(file, 'utf8')),
        'it has its size',
      );
      for (const tag of ['a', 'b', 'c']) await from('one', ['terminal', 'close', '--tag', tag]);
      await expect.poll(() => windowsOf('one')).toEqual(['*mine']);
    });
  },
);
