import { mentionCommand } from '../../../model/text/mention.ts';
import { readFileSync } from 'node:fs';
import { commandLine } from '../process/facts.ts';

const GENERIC = 'It exposes no accessibility tree; a screenshot shows what it looks like.';

/** Libraries that identify a toolkit, and what that toolkit needs to expose its tree. */
const BY_LIBRARY: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /libxul\.so/,
    `Firefox exposes its tree once accessibility is on: run ${mentionCommand('permissions', { request: true })}, or restart it with GNOME_ACCESSIBILITY=1.`,
  ],
  [
    /chrom(e|ium)|electron|libcef\.so/i,
    'Chromium and Electron expose their tree only when started with --force-renderer-accessibility while accessibility is on: close it and have Deskterity launch it.',
  ],
  [
    /libQt[56]Gui\.so/,
    `Qt applications check for accessibility when they start: run ${mentionCommand('permissions', { request: true })} and restart this one, or start it with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1.`,
  ],
  [
    /libvcl/,
    'LibreOffice needs its GTK interface: install libreoffice-gtk3 and start it with SAL_USE_VCLPLUGIN=gtk3.',
  ],
  [
    /libjvm\.so/,
    'Java needs the ATK wrapper: install libatk-wrapper-java and start it with -Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper.',
  ],
  [
    /libgtk-(3|4)\.so/,
    'This GTK application was started with accessibility switched off (NO_AT_BRIDGE or GTK_A11Y): restart it without them.',
  ],
];

/** Why a process exposes no accessibility tree, and what to do about it. */
export function explainMissingTree(pid: number | undefined): string {
  if (pid === undefined) return GENERIC;
  // Not the arguments: they name documents, whose names could match.
  return reasonFor(`${commandLine(pid)[0] ?? ''}\n${mappedFiles(pid)}`);
}

/** The same for a program's name and the files it has mapped. */
export function reasonFor(facts: string): string {
  return BY_LIBRARY.find(([pattern]) => pattern.test(facts))?.[1] ?? GENERIC;
}

function mappedFiles(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'latin1');
  } catch {
    return '';
  }
}
