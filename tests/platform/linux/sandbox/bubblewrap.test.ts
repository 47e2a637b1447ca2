import { describe, expect, it } from 'vitest';
import { bubblewrapCommand } from '../../../../src/platform/linux/sandbox/bubblewrap/bubblewrap.ts';
import type { SystemReads } from '../../../../src/platform/linux/sandbox/landlock/system-reads.ts';

const system: SystemReads = {
  rules: [
    { path: '/usr', access: 'execute' },
    { path: '/etc/hosts', access: 'read' },
    { path: '/etc/ssl/certs', access: 'read' },
    { path: '/proc', access: 'read' },
    { path: '/sys/devices', access: 'read' },
    { path: '/dev/null', access: 'device' },
  ],
  partial: ['/etc'],
  withheld: [
    { path: '/etc/shadow', kind: 'file' },
    { path: '/etc/ssl/private', kind: 'folder' },
  ],
  links: [{ path: '/bin', target: 'usr/bin' }],
};

const confinement = {
  by: 'bubblewrap' as const,
  scope: '/home/alice/project',
  read: ['/home/alice/.rustup'],
  write: ['/state/scope-1'],
  network: false,
  unixSockets: false,
  denyReport: false,
};

function text(changes: object = {}): string {
  return bubblewrapCommand('/usr/bin/bwrap', { ...confinement, ...changes }, system, ['make', '-j2'], {
    cwd: '/home/alice/project',
  }).join(' ');
}

describe('the command for bubblewrap', () => {
  it('mounts readable and writable folders, outer ones first', () => {
    expect(text()).toBe(
      [
        '/usr/bin/bwrap --unshare-all --die-with-parent --cap-drop ALL',
        '--proc /proc --remount-ro /proc --dev /dev --tmpfs /tmp --symlink usr/bin /bin --ro-bind-try /usr /usr --ro-bind-try /etc /etc',
        '--ro-bind-try /sys/devices /sys/devices --ro-bind /dev/null /etc/shadow --bind /state/scope-1 /state/scope-1',
        '--ro-bind-try /home/alice/.rustup /home/alice/.rustup --tmpfs /etc/ssl/private --remount-ro /etc/ssl/private',
        '--bind /home/alice/project /home/alice/project --remount-ro / --seccomp 3 --chdir /home/alice/project -- make -j2',
      ].join(' '),
    );
  });

  it('shares the network only if requested', () => {
    expect(text({ network: true })).toContain('--unshare-all --share-net ');
  });

  it('mounts a scope below the folder for temporary files after it', () => {
    const command = text({ scope: '/tmp/work/project' });
    expect(command.indexOf('--tmpfs /tmp')).toBeLessThan(command.indexOf('--bind /tmp/work/project'));
  });

  it('does not parse the program’s arguments', () => {
    const command = bubblewrapCommand('/usr/bin/bwrap', confinement, system, ['--bind', '/', '/'], {
      cwd: '/',
    });
    expect(command.slice(command.indexOf('--'))).toEqual(['--', '--bind', '/', '/']);
  });

  it('mounts what was opened and checked, by its descriptor', () => {
    const descriptors = new Map([
      ['/home/alice/project', 4],
      ['/home/alice/.rustup', 5],
    ]);
    const command = bubblewrapCommand('/usr/bin/bwrap', confinement, system, ['make'], {
      cwd: '/',
      descriptors,
    });
    expect(command.join(' ')).toContain('--bind-fd 4 /home/alice/project');
    expect(command.join(' ')).toContain('--ro-bind-fd 5 /home/alice/.rustup');
  });
});
