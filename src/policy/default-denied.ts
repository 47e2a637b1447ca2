import type { ApplicationFacts, Verdict } from '../model/policy/verdict.ts';
import { Patterns, type PlainText } from './patterns.ts';

/** Programs that hold or ask for passwords. By file name, whatever folder they are in. */
export const DEFAULT_DENIED: readonly string[] = [
  // Password managers
  'keepassxc',
  'keepassxc-*',
  'keepass2',
  'KeePass.exe',
  'secrets',
  'seahorse',
  'kwalletmanager*',
  'kwalletd*',
  'ksecretd',
  '1password*',
  'bitwarden*',
  'enpass',
  'buttercup*',
  'proton-pass*',
  // Dialogs that ask for a password
  'polkit-*',
  'lxpolkit',
  'lxqt-policykit*',
  'xfce-polkit',
  'mate-polkit',
  'pinentry*',
  'gcr-prompter',
  'gcr4-*',
  'gnome-keyring*',
  '*ssh-askpass*',
  'ksshaskpass',
  'lxqt-openssh-askpass',
  'gksu*',
  'kdesu*',
  // Screen lockers
  'xscreensaver*',
  'xfce4-screensaver*',
  'mate-screensaver*',
  'cinnamon-screensaver*',
  'gnome-screensaver*',
  'kscreenlocker*',
  'light-locker*',
  'i3lock*',
  'swaylock*',
  'xsecurelock*',
];

const PATTERNS = new Patterns(DEFAULT_DENIED);

/** What is denied unless a rule names its path. @param names all that it is known by */
export function byDefault(
  except: ReadonlySet<string>,
  { executable }: ApplicationFacts,
  names: readonly PlainText[],
): Verdict | undefined {
  if (executable !== undefined && except.has(executable)) return undefined;
  const rule = PATTERNS.like(names, false);
  if (rule === undefined) return undefined;
  const why = 'Programs that hold or ask for passwords are denied.';
  return { decision: 'deny', rule: `built-in ${JSON.stringify(rule)}`, why };
}
