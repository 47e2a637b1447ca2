import { describe, expect, it } from 'vitest';
import { whyNobodyIsThere } from '../../src/platform/own-terminal.ts';

const UNLIMITED = 'Max file locks            unlimited            unlimited            locks     \n';
/** Process, its name, parent, group, terminal, foreground group. */
const stat = (parent: number, { group = 30, terminal = 34_816, foreground = 30, name = 'desk' } = {}) =>
  `30 (${name}) S ${parent} ${group} 20 ${terminal} ${foreground} 4194304 0 0`;
const PERSON: Readonly<Record<string, string>> = {
  '30/stat': stat(20),
  '30/limits': UNLIMITED,
  '30/cmdline': 'node\0/opt/desk.cjs\0click\0',
  '30/environ': 'HOME=/home/ada\0',
  '20/stat': stat(10, { name: 'bash' }),
  '20/cmdline': '-bash\0',
  '20/environ': 'HOME=/home/ada\0DISPLAY=:0\0',
  '10/stat': stat(1, { name: 'xterm' }),
  '10/cmdline': 'xterm\0',
};

function whyNot(changes: Readonly<Record<string, string>> = {}): string | undefined {
  const files = { ...PERSON, ...changes };
  return whyNobodyIsThere(30, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error('EACCES');
    return text;
  });
}

describe('the person at the own terminal', () => {
  it('may be there, in the foreground of a terminal that is none of ours', () => {
    expect(whyNot()).toBeUndefined();
    expect(whyNot({ '30/stat': stat(20, { name: 'a) R 1 2 3 0 9 (' }) })).toBeUndefined();
  });

  it.each([
    ['without a terminal', { '30/stat': stat(20, { terminal: 0, foreground: -1 }) }, 'no terminal'],
    ['in the background', { '30/stat': stat(20, { foreground: 77 }) }, 'foreground'],
    [
      'with the mark of an operation, which a cleared environment does not remove',
      { '30/limits': UNLIMITED.replaceAll('unlimited   ', '461168601842 ') },
      'Deskterity itself',
    ],
    [
      'in a shell that an operation or a terminal of ours began',
      { '20/environ': 'A=b\0DESKTERITY_OPERATION=3f\0' },
      'Deskterity itself',
    ],
    ['on a private desktop', { '20/environ': 'DESKTERITY_PRIVATE_DESKTOP=x\0' }, 'Deskterity itself'],
    ['in a window that the daemon opened', { '10/cmdline': 'node\0/opt/daemon.cjs\0' }, 'Deskterity itself'],
    ['under a holder', { '10/cmdline': 'node\0/opt/holder.cjs\0--socket\0/x\0' }, 'Deskterity itself'],
    ['with facts of an unknown form', { '30/stat': 'nothing' }, 'cannot be examined'],
  ])('is not there %s', (_, changes, why) => {
    expect(whyNot(changes)).toContain(why);
  });
});
