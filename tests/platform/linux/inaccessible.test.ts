import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { explainMissingTree, reasonFor } from '../../../src/platform/linux/desktop/inaccessible.ts';

describe('an application without a tree', () => {
  it.each([
    ['/usr/lib/firefox/firefox\n7f00 r-xp /usr/lib/firefox/libxul.so', 'Firefox'],
    ['/opt/google/chrome/chrome', '--force-renderer-accessibility'],
    ['/usr/share/code/code\n7f00 r--p /usr/lib/electron/resources.pak', 'Electron'],
    ['kcalc\n7f00 r-xp /usr/lib/x86_64-linux-gnu/libQt5Gui.so.5', 'QT_LINUX_ACCESSIBILITY_ALWAYS_ON'],
    ['kate\n7f00 r-xp /usr/lib/libQt6Gui.so.6', 'Qt applications'],
    ['soffice.bin\n7f00 r-xp /usr/lib/libreoffice/program/libvcllo.so', 'libreoffice-gtk3'],
    ['java\n7f00 r-xp /usr/lib/jvm/lib/server/libjvm.so', 'libatk-wrapper-java'],
    ['gedit\n7f00 r-xp /usr/lib/libgtk-3.so.0', 'NO_AT_BRIDGE'],
    ['hexchat\n7f00 r-xp /usr/lib/x86_64-linux-gnu/libgtk-x11-2.0.so.0', 'GTK_MODULES=gail:atk-bridge'],
    [
      'pidgin\n7f00 r-xp /usr/lib/libtk8.6.so\n7f00 r-xp /usr/lib/libgtk-x11-2.0.so.0',
      'libatk-adaptor and libgail-common',
    ],
    ['gnome-text-editor\n7f00 r-xp /usr/lib/libgtk-4.so.1', 'GTK_A11Y'],
  ])('%j gets advice: %s', (facts, advice) => {
    const { reason, mayGetTree } = reasonFor(facts);
    expect(reason).toContain(advice);
    expect(mayGetTree).toBe(true);
  });

  it('of no known toolkit gets general advice', () => {
    expect(reasonFor('a.out')).toStrictEqual({ reason: expect.stringContaining('a screenshot shows') });
    expect(explainMissingTree(undefined)).toStrictEqual(reasonFor(''));
    expect(explainMissingTree(2 ** 30)).toStrictEqual(reasonFor(''));
  });

  it.each([
    ['python3\n7f00 r-xp /usr/lib/x86_64-linux-gnu/libtk8.6.so', 'Tk'],
    ['xterm\n7f00 r-xp /usr/lib/libXt.so.6\n7f00 r-xp /usr/lib/libXaw.so.7', 'Xaw'],
    ['xeyes\n7f00 r-xp /usr/lib/libXt.so.6', 'Xt'],
  ])('%j uses a toolkit that has no tree, %s', (facts, toolkit) => {
    const { reason, mayGetTree } = reasonFor(facts);
    expect(reason).toContain(`It uses ${toolkit}`);
    expect(mayGetTree).toBe(false);
  });

  it('is not judged by the names of its documents', async () => {
    const child = spawn('sleep', ['30'], { argv0: 'sleep' });
    const misleading = spawn('sh', ['-c', 'read line', 'chromium-notes.txt'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    try {
      await Promise.all([once(child, 'spawn'), once(misleading, 'spawn')]);
      expect(explainMissingTree(misleading.pid)).toStrictEqual(explainMissingTree(child.pid));
    } finally {
      child.kill();
      misleading.kill();
    }
  });
});
