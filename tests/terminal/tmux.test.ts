import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { play, rowsOf, STREAMS, streamFile } from './support/streams.ts';

/** Another terminal emulator for comparison. */
function findTmux(): string | undefined {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

const version = findTmux();
const PATIENCE_MS = 15_000;

describe.skipIf(version === undefined)(
  `the same screen as tmux shows${version === undefined ? ' (skipped: tmux is not installed)' : ''}`,
  () => {
    let folder = '';
    const tmux = (...args: string[]) =>
      execFileSync(
        'tmux',
        ['-S', path.join(folder, 'socket'), '-f', path.join(folder, 'conf'), '-u', ...args],
        {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: folder, TERM: 'xterm-256color' },
        },
      );

    beforeAll(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'tmux-'));
      writeFileSync(
        path.join(folder, 'conf'),
        'set -g status off\nset -g remain-on-exit on\nset -g exit-empty off\n',
      );
    });
    afterAll(() => {
      tmux('kill-server');
      rmSync(folder, { recursive: true });
    });

    test.each(STREAMS)('%s', { timeout: 2 * PATIENCE_MS }, async (name) => {
      const ours = rowsOf(await play(name));
      // The final title shows that everything before it was processed.
      const command = `stty raw -echo; cat ${streamFile(name)}; printf '\\033]2;all-${name}\\007'; sleep 60`;
      tmux('new-session', '-d', '-s', name, '-x', '80', '-y', '24', command);
      const deadline = Date.now() + PATIENCE_MS;
      while (tmux('display-message', '-p', '-t', name, '#{pane_title}').trim() !== `all-${name}`) {
        if (Date.now() > deadline) throw new Error('tmux did not show the stream in time.');
        await sleep(20);
      }
      const theirs = tmux('capture-pane', '-p', '-t', name).split('\n').slice(0, 24);
      expect(ours).toEqual(theirs.map((row) => row.trimEnd()));
    });
  },
);
