import { describe, expect, it } from 'vitest';
import { seatPlace } from '../../src/terminal/windows/seat-place.ts';

const XTERM = { DISPLAY: ':0', WINDOWID: '14680076', XTERM_VERSION: 'XTerm(379)' };

describe('where somebody sits', () => {
  it('is told by the terminal application', () => {
    expect(seatPlace(XTERM)).toEqual({ application: 'window', xWindow: '0xe0000c' });
    expect(
      seatPlace({ ...XTERM, KITTY_WINDOW_ID: '3', KITTY_LISTEN_ON: 'unix:/run/user/1000/k.sock' }),
    ).toEqual({
      application: 'kitty',
      socket: '/run/user/1000/k.sock',
      paneId: '3',
      xWindow: '0xe0000c',
    });
    expect(seatPlace({ WEZTERM_PANE: '7' })).toEqual({ application: 'wezterm', paneId: '7' });
  });

  it('is the innermost: tmux has the rest of whoever has started it', () => {
    const tmux = { ...XTERM, TMUX: '/tmp/tmux-1000/default,4711,2', TMUX_PANE: '%5' };
    expect(seatPlace(tmux)).toEqual({
      application: 'tmux',
      socket: '/tmp/tmux-1000/default',
      windowId: '$2',
      paneId: '%5',
    });
    expect(seatPlace({ ...tmux, SSH_TTY: '/dev/pts/1' })?.application).toBe('tmux');
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
  ])('is not known where %s', (_, environment) => expect(seatPlace(environment)).toBeUndefined());
});
