import { mentionCommand } from '../../../model/text/mention.ts';
import { readFileSync } from 'node:fs';
import { commandLine } from '../process/facts.ts';

const GENERIC = 'It exposes no accessibility tree; a screenshot shows what it looks like.';

/** Toolkits that expose no tree whatever one does, by their libraries; the most specific first. */
const TREELESS: readonly (readonly [pattern: RegExp, toolkit: string])[] = [
  [/libtk\d/, 'Tk'],
  [/libXaw/, 'Xaw (X Athena widgets)'],
  [/libXm\.so/, 'Motif'],
  [/libfltk/, 'FLTK'],
  [/libSDL/, 'SDL'],
  [/libXt\.so/, 'Xt (X toolkit)'],
];

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
    /libgtk-x11-2\.0\.so/,
    'GTK 2 needs two modules: install libatk-adaptor and libgail-common, and start it with GTK_MODULES=gail:atk-bridge.',
  ],
  [
    /libgtk-(3|4)\.so/,
    'This GTK application was started with accessibility switched off (NO_AT_BRIDGE or GTK_A11Y): restart it without them.',
  ],
];

/** Why there is no tree, and whether one may still come. */
export interface MissingTree {
  readonly reason: string;
  readonly mayGetTree?: boolean;
}

/** A process that was on an accessibility bus which has ended; some join the next one by themselves. */
export const LEFT_BEHIND: MissingTree = {
  reason: `The accessibility bus ended while this application was running, and it has not joined the new one: close it and start it again with ${mentionCommand('launch')}.`,
  mayGetTree: true,
};

/** Why a process exposes no accessibility tree, and what to do about it. */
export function explainMissingTree(pid: number | undefined): MissingTree {
  if (pid === undefined) return { reason: GENERIC };
  // Not the arguments: they name documents, whose names could match.
  return reasonFor(`${commandLine(pid)[0] ?? ''}\n${mappedFiles(pid)}`);
}

/** The same for a program's name and the files it has mapped. */
export function reasonFor(facts: string): MissingTree {
  const known = BY_LIBRARY.find(([pattern]) => pattern.test(facts));
  if (known !== undefined) return { reason: known[1], mayGetTree: true };
  const toolkit = TREELESS.find(([pattern]) => pattern.test(facts))?.[1];
  if (toolkit === undefined) return { reason: GENERIC };
  return {
    reason: `It uses ${toolkit}, which has no accessibility tree; ${mentionCommand('screenshot')} shows what it looks like.`,
    mayGetTree: false,
  };
}

function mappedFiles(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'latin1');
  } catch {
    return '';
  }
}
