import { DOCTOR_OUTCOMES, type DoctorCheck, type DoctorOutcome } from '../../model/effects/doctor.ts';
import { line, nextStep, span, type Block, type Page, type Span } from '../../model/text/page.ts';

interface Report {
  readonly healthy: boolean;
  readonly summary: Readonly<Record<DoctorOutcome, number>>;
  readonly checks: readonly DoctorCheck[];
}

/** What the checks are about; any other check is shown after them. */
const GROUPS: readonly { readonly title: string; readonly checks: readonly string[] }[] = [
  {
    title: 'Desktop',
    checks: [
      'display',
      'window-manager',
      'accessibility-bus',
      'accessibility-enabled',
      'private-desktop',
      'environment',
      'probe-window',
      'applications',
      'clean-up',
    ],
  },
  { title: 'Reading', checks: ['read-tree', 'events', 'list-windows', 'capture'] },
  {
    title: 'Acting',
    checks: [
      'press',
      'set-value',
      'move-window',
      'focus-window',
      'clipboard',
      'pointer',
      'keyboard',
      'typing',
      'stop-switch',
      'stop-hot-key',
      'user-hands',
      'own-seat',
    ],
  },
  {
    title: 'Commands',
    checks: [
      'sandbox',
      'operations',
      'tools',
      'login-shell',
      'terminals',
      'terminal-application',
      'terminal-log',
    ],
  },
  { title: 'Program', checks: ['daemon'] },
];

/** Each check on one line, in groups; what does not work follows in full, with what to do about it. */
export function pageOfDoctor({ healthy, summary, checks }: Report): Page {
  const troubles = checks.filter(({ outcome }) => outcome === 'refused' || outcome === 'broken');
  const known = new Set(GROUPS.flatMap((group) => group.checks));
  const groups = [
    ...GROUPS,
    { title: 'Other', checks: checks.map(({ name }) => name).filter((name) => !known.has(name)) },
  ];
  const rows = groups.flatMap(({ title, checks: names }) =>
    names
      .flatMap((name) => checks.filter((check) => check.name === name))
      .map((check, index) => [
        span(index === 0 ? title : '', 'strong'),
        signOf(check),
        check.name,
        span(check.detail, 'quiet'),
      ]),
  );
  const columns = [{ title: '' }, { title: '' }, { title: '' }, { title: '', narrow: 'clip' as const }];
  const counts = DOCTOR_OUTCOMES.filter((outcome) => summary[outcome] > 0).map(
    (outcome) => `${summary[outcome]} ${outcome}`,
  );
  return [
    { kind: 'table', columns, rows, indent: 0, isBare: true },
    ...troubles.flatMap((check) => pageOfTrouble(check)),
    line([healthy ? span('✓ healthy', 'good') : span('✗ not healthy', 'bad'), `: ${counts.join(', ')}`]),
  ];
}

function signOf({ outcome, optional }: DoctorCheck): Span {
  if (outcome === 'works') return span('✓', 'good');
  if (outcome === 'skipped') return span('·', 'quiet');
  return optional === true ? span('!', 'doubtful') : span('✗', 'bad');
}

function pageOfTrouble(check: DoctorCheck): readonly Block[] {
  const { name, outcome, detail, step, fix, optional } = check;
  return [
    line([
      signOf(check),
      ` ${name}: ${outcome}${step === undefined ? '' : ` at "${step}"`}${optional === true ? ' (optional)' : ''}. `,
      detail,
    ]),
    ...(fix === undefined ? [] : [nextStep(fix, 2)]),
  ];
}
