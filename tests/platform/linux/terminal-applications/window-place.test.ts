import { describe, expect, it } from 'vitest';
import { windowPlace } from '../../../../src/platform/linux/terminal-applications/window-place.ts';

const XTERM = { DISPLAY: ':0', WINDOWID: '14680076', XTERM_VERSION: 'XTerm(379)' };

describe('where a terminal is shown', () => {
  it('is known from the terminal application', () => {
    expect(windowPlace(XTERM)).toEqual({
      identifiers: { window: 'x11:0xe0000c', tab: null },
      windowId: 'x11:0xe0000c',
    });
    expect(
      windowPlace({ ...XTERM, KITTY_WINDOW_ID: '3', KITTY_LISTEN_ON: 'unix:/run/user/1000/k.sock' }),
    ).toEqual({
      identifiers: { window: 'x11:0xe0000c', tab: '3' },
      windowId: 'x11:0xe0000c',
      focusTab: ['kitty', '@', '--to=unix:/run/user/1000/k.sock', 'focus-window', '--match=id:3'],
    });
    expect(windowPlace({ WEZTERM_PANE: '7' })).toEqual({
      identifiers: { window: null, tab: '7' },
      focusTab: ['wezterm', 'cli', '--class=org.deskterity.terminals', 'activate-pane', '--pane-id=7'],
    });
  });

  it('is the innermost: tmux inherits the variables of its starter', () => {
    const tmux = { ...XTERM, TMUX: '/tmp/tmux-1000/default,4711,2', TMUX_PANE: '%5' };
    const { identifiers, windowId, focusTab, viewers } = windowPlace(tmux) ?? {};
    expect(identifiers).toEqual({ window: '$2', tab: '%5' });
    expect(windowId).toBeUndefined();
    expect(focusTab).toEqual(['tmux', '-S', '/tmp/tmux-1000/default', 'select-window', '-t', '%5']);
    expect(viewers?.list).toContain('$2');
    // The client that was used last comes first.
    expect(viewers?.parseList('10 7\n20 8\nx\n').map(({ pid }) => pid)).toEqual([8, 7]);
    expect(windowPlace({ ...tmux, SSH_TTY: '/dev/pts/1' })?.identifiers.tab).toBe('%5');
  });

  it.each([
    ['nothing is said', {}],
    ['it is over ssh', { ...XTERM, SSH_CONNECTION: '::1 1 ::1 22' }],
    ['there is no display', { WINDOWID: '14680076' }],
    ['the number is none', { ...XTERM, WINDOWID: '12; rm -rf /' }],
    ['the number is no window', { ...XTERM, WINDOWID: '0' }],
    ['the number is too large', { ...XTERM, WINDOWID: '99999999999' }],
    ['kitty listens nowhere', { KITTY_WINDOW_ID: '3' }],
    ['a pane is no pane', { TMUX: '/tmp/t,1,0', TMUX_PANE: '-t' }],
  ])('is unknown if %s', (_, environment) => expect(windowPlace(environment)).toBeUndefined());
});
