import type { ApplicationFacts, Verdict } from '../../model/policy/verdict.ts';
import { allNames, provenNames } from './application-names.ts';
import { Patterns, plainText, type PlainText } from './patterns.ts';

/** Programs that are denied unless `except` in a policy file names the group, the pattern or the path of the program. */
export interface DeniedGroup {
  readonly name: string;
  /** One sentence. */
  readonly why: string;
  /** They may take keys and clicks that are meant for others while they show a window. */
  readonly takesInput: boolean;
  /** Patterns of names, whatever folder a program is in. */
  readonly programs: readonly string[];
  /** Acts on their windows need the consent of a person; reading them does not. */
  readonly isAsked?: boolean | undefined;
  /** Programs that the patterns name as well, but that take no input: the settings of such a program are an ordinary window. */
  readonly harmless?: readonly string[] | undefined;
}

export const DENIED_GROUPS: readonly DeniedGroup[] = [
  {
    name: 'password managers',
    why: 'It shows passwords, which no agent may read.',
    takesInput: false,
    programs: [
      'keepassx',
      'keepassxc',
      'keepassxc-*',
      'keepass',
      'keepass2',
      'KeePass.exe',
      'kpcli',
      'secrets',
      'gnome-secrets',
      'gnome passwords',
      'passwords and keys',
      'seahorse*',
      'kwalletmanager*',
      '1password*',
      'onepassword*',
      'bitwarden*',
      'goldwarden*',
      'enpass*',
      'buttercup*',
      'proton-pass*',
      'protonpass*',
      'proton pass*',
      'qtpass*',
      'gopass-ui*',
      'pass-gui*',
      'authpass*',
      'lastpass*',
      'dashlane*',
      'nordpass*',
      'keeperpasswordmanager*',
      'password-gorilla*',
      'revelation',
      'keeweb*',
      'passwordsafe*',
      'password safe',
      'pwsafe*',
      'padloc*',
      'universal-password-manager*',
      'figaro*password*manager*',
    ],
  },
  {
    name: 'authentication dialogs',
    why: 'It asks the user for a password or a permission, which only the user may give.',
    takesInput: true,
    harmless: ['gcr-viewer*', 'org.gnome.gcrviewer*'],
    programs: [
      'polkit-*',
      'polkitd',
      '*polkit*agent*',
      '*agent*polkit*',
      'budgie-polkit*',
      'lxpolkit',
      'lxqt-policykit*',
      'xfce-polkit*',
      'mate-polkit*',
      'cinnamon-polkit*',
      'hyprpolkitagent*',
      'pinentry*',
      'gcr-prompter*',
      'gcr4-*',
      'gcr-viewer*',
      'gnome-keyring*',
      'kwalletd*',
      'ksecretd*',
      '*ssh*askpass*',
      '*openssh-askpass*',
      'git-gui--askpass*',
      'gksu*',
      'gksudo*',
      'kdesu*',
      'kdesudo*',
      'lxqt-sudo*',
      'lxsudo*',
      'lxsu*',
      'pkexec*',
      'systemd-ask-password*',
      'nm-openconnect-auth*',
      'nm-*-auth-dialog*',
    ],
  },
  {
    name: 'screen lockers and login screens',
    why: 'It keeps others out of the user’s session.',
    takesInput: true,
    harmless: ['*-settings', '*-preferences', '*-prefs', '*-demo'],
    programs: [
      'xscreensaver*',
      'xfce4-screensaver*',
      'mate-screensaver*',
      'cinnamon-screensaver*',
      'gnome-screensaver*',
      'kscreenlocker*',
      'light-locker*',
      'lightdm*greeter*',
      'ukui-screensaver*',
      'slick-greeter*',
      'cosmic-greeter*',
      'plasmalogin-greeter*',
      'regreet',
      'dde-lock',
      'sddm-greeter*',
      'gtkgreet*',
      'xlock*',
      'i3lock*',
      'swaylock*',
      'hyprlock*',
      'gtklock*',
      'waylock*',
      'xsecurelock*',
      'slock',
      'vlock',
      'physlock',
    ],
  },
  {
    name: 'portal dialogs',
    why: 'It asks the user what applications may do or see, or for files.',
    takesInput: false,
    isAsked: true,
    programs: ['xdg-desktop-portal*', 'org.freedesktop.impl.portal.*', 'hyprland-share-picker*'],
  },
];

/** Lifts the denial of the terminal, or other program, in which a caller runs. */
export const HOST_DENIAL = 'own terminal';
/** Not lifted by anything: an agent that reaches it answers questions that are asked about it. */
export const OWN_DENIAL = 'own windows';

export const DEFAULT_DENIED = patternsOf(DENIED_GROUPS.filter(({ isAsked }) => isAsked !== true));
export const DEFAULT_ASKED = patternsOf(DENIED_GROUPS.filter(({ isAsked }) => isAsked === true));

function patternsOf(groups: readonly DeniedGroup[]): readonly string[] {
  return groups.flatMap(({ programs }) => programs);
}

/** What `except` may name beside absolute paths. */
export const LIFTABLE: ReadonlySet<string> = new Set([
  ...DENIED_GROUPS.map(({ name }) => name),
  ...DEFAULT_DENIED,
  ...DEFAULT_ASKED,
  HOST_DENIAL,
]);

const GROUPS = DENIED_GROUPS.map((group) => ({
  group,
  all: new Patterns(group.programs),
  harmless: new Patterns(group.harmless ?? []),
  each: group.programs.map((pattern) => ({ pattern, like: new Patterns([pattern]) })),
}));

/** What is denied unless a rule lifts that. @param names all that it is known by */
export function byDefault(
  except: ReadonlySet<string>,
  facts: ApplicationFacts,
  names: readonly PlainText[],
): Verdict | undefined {
  const { executable, relation } = facts;
  const isLifted = executable !== undefined && except.has(executable);
  if (relation === 'own') return denial(OWN_DENIAL, 'Deskterity asks the user in it.');
  if (relation === 'host' && !isLifted && !except.has(HOST_DENIAL))
    return denial(HOST_DENIAL, 'A caller of Deskterity runs in it: an agent must not operate itself.');
  if (isLifted) return undefined;
  for (const { group, all, each } of GROUPS) {
    if (except.has(group.name) || all.like(names, false) === undefined) continue;
    const rule = each.find(
      ({ pattern, like }) => !except.has(pattern) && like.like(names, false) !== undefined,
    );
    if (rule !== undefined)
      return { ...denial(rule.pattern, group.why), ...(group.isAsked === true && { decision: 'confirm' }) };
  }
  return undefined;
}

function denial(rule: string, why: string): Verdict {
  return { decision: 'deny', rule: builtInRule(rule), why };
}

/** How the denial of a pattern or group is named in verdicts. */
export function builtInRule(name: string): string {
  return `built-in ${JSON.stringify(name)}`;
}

/** Whether keys and clicks for others may go to it while it shows a window. */
export function mayTakeInput(facts: ApplicationFacts): boolean {
  const names = allNames(facts).map((name) => plainText(name));
  // Not by what it calls itself.
  const proven = provenNames(facts).map((name) => plainText(name));
  return GROUPS.some(
    ({ group, all, harmless }) =>
      group.takesInput && all.like(names, false) !== undefined && harmless.like(proven, true) === undefined,
  );
}
