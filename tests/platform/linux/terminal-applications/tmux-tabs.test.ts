import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Argv } from '../../../../src/ports/terminals/terminal-applications.ts';
import { placeSession } from '../../../../src/terminal/windows/place-session.ts';
import { sessionTitle } from '../../../../src/terminal/windows/terminal-title.ts';
import { TMUX_TABS } from '../../../../src/platform/linux/terminal-applications/tmux-tabs.ts';

let folder: string;
const identity = { projectPath: '/srv/a#b', tag: "it's #{pid} 100%" };
const title = sessionTitle(identity, { ttyPath: '/dev/pts/3', pid: 7 });

function place() {
  return { socket: join(folder, 'socket'), group: 'deskterity' };
}

function run([program, ...args]: Argv): string {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm', SHELL: '/bin/sh' };
  return execFileSync(program, args, { env: environment, encoding: 'utf8', timeout: 10_000 });
}

function tmux(...args: readonly string[]): string {
  return run(['tmux', '-S', place().socket, ...args]);
}

/** Says what it was given, has the title that it was given, and stays. */
function attach(name: string): Argv {
  const script = join(folder, 'attach');
  writeFileSync(
    script,
    '#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/$1"\nprintf "\\033]2;%s\\007" "$2"\nexec sleep 30\n',
    { mode: 0o755 },
  );
  return [script, name, title, '$HOME; "x" -- \'', '-d', ';', '/srv/a;', String.raw`b\;`];
}

describe.skipIf(!existsSync('/usr/bin/tmux'))('tabs of a real tmux (needs tmux)', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tmux-tabs-'));
    tmux('-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '24', '-n', "the user's", 'sleep', '30');
  });

  afterEach(() => {
    tmux('kill-server');
    rmSync(folder, { recursive: true, force: true });
  });

  it('open in the background, get their arguments unchanged, and are found, joined and focused', async () => {
    const command = attach('first');
    const pane = run(TMUX_TABS.openFirst({ command, title: '#{pid} %' }, place())).trim();
    await vi.waitFor(() => {
      expect(readFileSync(join(folder, 'first'), 'utf8')).toBe(`${command.slice(1).join('\n')}\n`);
      expect(TMUX_TABS.parseList(run(TMUX_TABS.list(place())))).toContainEqual(
        expect.objectContaining({ paneId: pane, title }),
      );
    }, 10_000);
    expect(tmux('list-windows', '-F', '#{window_name} #{window_active}')).toBe("the user's 1\n#{pid} % 0\n");

    const tabs = TMUX_TABS.parseList(run(TMUX_TABS.list(place())));
    const found = placeSession(identity, 'off', tabs);
    expect(found).toMatchObject({ type: 'shown', tab: { paneId: pane } });
    const next = placeSession({ ...identity, tag: 'other' }, 'project', tabs);
    if (next.type !== 'tab') throw new Error('no tab beside');
    const second = run(
      TMUX_TABS.openTab({ command: attach('second'), title: 'b' }, place(), next.beside),
    ).trim();
    const listed = TMUX_TABS.parseList(run(TMUX_TABS.list(place())));
    expect(listed.find(({ paneId }) => paneId === second)?.windowId).toBe(next.beside.windowId);

    run(TMUX_TABS.focus(place(), pane));
    expect(tmux('display-message', '-p', '#{pane_id}').trim()).toBe(pane);
  });
});
