import type { ProcessKey } from '../../../ports/policy/program-facts.ts';
import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { allProcesses, commandLine, hasTerminal, programName, readProcess } from './facts.ts';
import { isInstalled } from './installed.ts';

/** Longer than any chain of shells and helpers. */
const MOST_GENERATIONS = 64;
/** Programs in a multiplexer come from its server, and the terminal that shows them is where one of its clients runs. */
const MULTIPLEXERS = /^(?:tmux|screen|zellij|dtach|abduco)\b/i;

/** Panels, desktops and menus that start whatever a person chooses: what they started is not what they are. */
const SHELLS =
  /^(?:xfce4-panel|xfdesktop|xfce4-appfinder|plasmashell|krunner|kwin_x11|kwin_wayland|gnome-shell|cinnamon|mate-panel|caja|budgie-panel|budgie-wm|lxqt-panel|lxqt-runner|lxpanel|pcmanfm|pcmanfm-qt|nemo-desktop|tint2|polybar|waybar|plank|cairo-dock|rofi|wofi|fuzzel|ulauncher|albert|synapse|openbox|fluxbox|icewm|jwm|i3|sway|labwc|wayfire|hyprland)$/i;

/** The process and those that it comes from; behind a multiplexer, also the clients of it and those that they come from. */
export function lineageOf(pid: number, isShell = isDesktopShell): ProcessKey[][] {
  const own = ancestorsOf(pid, isShell);
  const isMultiplexed = own.some((one) => isMultiplexer(one.pid));
  if (!isMultiplexed) return [own];
  const clients = allProcesses().filter((one) => isMultiplexer(one.pid));
  return [own, ...clients.map((client) => ancestorsOf(client.pid, isShell))];
}

function ancestorsOf(pid: number, isShell: (pid: number) => boolean): ProcessKey[] {
  const line: ProcessKey[] = [];
  // The first process of the machine or the container is everybody's.
  for (let at = pid; at > 1 && line.length < MOST_GENERATIONS;) {
    const entry = readProcess(at);
    if (entry === undefined || (at !== pid && isShell(at))) break;
    line.push({ pid: at, key: entry.startTime, isInTerminal: hasTerminal(at) });
    at = entry.parent;
  }
  return line;
}

/** Only a program that an administrator installed: whatever else calls itself so may be the caller's own. */
export function isDesktopShell(pid: number): boolean {
  try {
    const file = readlinkSync(`/proc/${pid}/exe`);
    return isShellName(file) && !hasTerminal(pid) && isInstalled(file);
  } catch {
    return false;
  }
}

export function isShellName(file: string): boolean {
  return SHELLS.test(path.basename(file));
}

function isMultiplexer(pid: number): boolean {
  const names = [programName(pid), commandLine(pid)[0]?.split('/').pop()];
  return names.some((name) => name !== undefined && MULTIPLEXERS.test(name));
}
