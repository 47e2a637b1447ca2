/**
 * Keyboard, pointer, pictures and windows on a private sway desktop, beside wtype, grim, swaymsg and, where it is installed, wlrctl: all in turn, in
 * the same window, each act checked by the record of the application.
 */
import { appendFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { allowEveryCall } from '../fixtures/unlimited-calls.ts';
import { WaylandStage } from '../tests/linux/wayland/stage.ts';
import type { Report, Say } from './support/figures.ts';
import { Program } from './support/program.ts';
import { onDisplay } from './wayland/on-display.ts';
import { throughDaemon } from './wayland/through-daemon.ts';
import { WaylandTools } from './wayland/tools.ts';

export async function run({ say }: { readonly say: Say }): Promise<Report> {
  say('building');
  const program = await Program.build();
  const stage = await WaylandStage.start('wayland');
  try {
    allowEveryCall(stage.place.home);
    const fixture = await stage.fixture('gtk3');
    const tools = new WaylandTools(stage.environment);
    say('keyboard and pointer');
    const direct = await onDisplay(stage, fixture, tools);
    say('whole commands');
    const user = await program.user('wayland', { ...stage.environment, ...absoluteDisplay(stage) });
    // Its optional package koffi passes descriptors to the compositor.
    await symlink(path.resolve('node_modules'), path.join(program.folder, 'node_modules'));
    // Each picture anew.
    await appendFile(settingsOf(user.environment['HOME'] ?? ''), '[screenshot]\ndebounce_ms = 0\n');
    const calls = await user.connect();
    try {
      const folder = program.folder;
      return {
        name: 'wayland',
        figures: [...direct, ...(await throughDaemon(calls, { stage, fixture, tools, folder }))],
      };
    } finally {
      await calls.close();
      await user.stop();
    }
  } finally {
    await stage.stop();
    await program.remove();
  }
}

function settingsOf(home: string): string {
  return path.join(home, '.config/deskterity/config.toml');
}

/** The user of the program has a runtime folder of their own. */
function absoluteDisplay({ environment, place }: WaylandStage): Readonly<Record<string, string>> {
  return { WAYLAND_DISPLAY: path.join(environment['XDG_RUNTIME_DIR'] ?? '', place.display) };
}
