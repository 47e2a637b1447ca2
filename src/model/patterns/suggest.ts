import { clip } from '../text/untrusted-text.ts';
import type { OutputNode } from '../tree/node.ts';
import type { Finding, Part, Pattern } from './pattern.ts';
import { has } from './screen.ts';

/** A next step: a command and its input, whose element has yet to get its reference. */
export interface Step {
  readonly action: string;
  readonly command: 'click' | 'select' | 'set-value' | 'wait';
  readonly node: OutputNode;
  /** A placeholder in capitals where the caller must choose. */
  readonly value?: string | undefined;
}

const MOST_STEPS = 8;
const MOST_FIELDS = 4;
const LONGEST_NAME = 60;

/** What to do with a part of a pattern, in the order in which it is done. */
type Advice = readonly (readonly [Part, (name: string, node: OutputNode) => Omit<Step, 'node'>])[];

const set = (what: string, value: string) => () => ({ action: what, command: 'set-value' as const, value });
const click = (what: (name: string) => string) => (name: string) => ({
  action: what(name),
  command: 'click' as const,
});
const confirm = (what: string) => click((name) => `Click ${name} to ${what}.`);

const ADVICE: Readonly<Record<Pattern, Advice>> = {
  login_form: [
    ['account', set('Enter the account name.', 'NAME')],
    ['password', set('Enter the password.', 'PASSWORD')],
    ['accept', confirm('sign in')],
    ['cancel', confirm('leave without signing in')],
  ],
  file_save_dialog: [
    ['name', set('Enter the file name.', 'FILE')],
    ['accept', confirm('save')],
    ['cancel', confirm('dismiss')],
  ],
  file_open_dialog: [
    ['name', set('Enter the file name.', 'FILE')],
    ['table', () => ({ action: 'Choose a file.', command: 'select', value: 'FILE' })],
    ['accept', confirm('open what is chosen')],
    ['cancel', confirm('dismiss')],
  ],
  settings_page: [
    ['accept', confirm('accept the settings')],
    ['cancel', confirm('leave the settings as they were')],
  ],
  confirmation_dialog: [
    ['answer', click((name) => `Click ${name} to answer.`)],
    ['cancel', confirm('leave things as they are')],
  ],
  error_alert: [
    ['answer', confirm('acknowledge')],
    ['cancel', confirm('dismiss')],
  ],
  search_interface: [['search', set('Enter what to search for.', 'TEXT')]],
  table_view: [],
  form: [
    [
      'field',
      // The list of a combo box that nothing can be typed into takes no value of one's own.
      (name, node) =>
        node.role === 'combobox' && !has(node, 'editable')
          ? { action: `Choose in ${name}.`, command: 'select', value: 'OPTION' }
          : { action: `Fill in ${name}.`, command: 'set-value', value: 'VALUE' },
    ],
    ['accept', confirm('submit')],
    ['cancel', confirm('discard')],
  ],
  browser_main: [['address', set('Enter an address, then press Enter.', 'ADDRESS')]],
  text_editor: [['text', set('Replace the text.', 'TEXT')]],
  progress_indicator: [
    ['progress', () => ({ action: 'Wait until it is gone.', command: 'wait' })],
    ['cancel', confirm('stop it')],
  ],
};

/** Steps that make sense next, the most urgent pattern first. They are proposals: nothing is done. */
export function stepsFor(findings: readonly Finding[]): readonly Step[] {
  const seen = new Set<OutputNode>();
  const steps = byUrgency(findings).flatMap((finding) => stepsOf(finding, seen));
  return steps.slice(0, MOST_STEPS);
}

/** What is disabled is suggested only after something to fill in, which may enable it. */
function stepsOf({ pattern, evidence }: Finding, seen: Set<OutputNode>): readonly Step[] {
  const steps: Step[] = [];
  for (const [part, advise] of ADVICE[pattern]) {
    const nodes = evidence.filter((item) => item.part === part).map(({ node }) => node);
    for (const node of nodes.slice(0, MOST_FIELDS)) {
      const isFilled = steps.some(({ value }) => value !== undefined);
      // A name that was entered needs no choice from the list.
      const isSpare = part === 'table' && isFilled;
      if (seen.has(node) || isSpare || (has(node, 'disabled') && !isFilled)) continue;
      seen.add(node);
      steps.push({ ...advise(nameOf(node), node), node });
    }
  }
  return steps;
}

const URGENCY: readonly Pattern[] = [
  'error_alert',
  'confirmation_dialog',
  'file_save_dialog',
  'file_open_dialog',
  'login_form',
  'progress_indicator',
  'form',
  'settings_page',
  'search_interface',
  'text_editor',
  'browser_main',
  'table_view',
];

function byUrgency(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((one, other) => URGENCY.indexOf(one.pattern) - URGENCY.indexOf(other.pattern));
}

function nameOf({ name, role }: OutputNode): string {
  // Escaped: it is the application's text within ours.
  return name === undefined ? `the ${role}` : JSON.stringify(clip(name, LONGEST_NAME));
}
