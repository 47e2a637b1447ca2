import type { Receipt } from '../model/effects/effect.ts';
import type { OPERATION_STATUSES } from '../model/tools/operation-status.ts';
import type { WindowSummary } from '../model/refs/target.ts';
import { line, span, table, type Block, type Page, type Span, type Tone } from '../model/text/page.ts';
import { quote } from '../model/text/untrusted-text.ts';
import { outlineReceipt } from './outline-parts.ts';

/** Lines about what changed that a person reads at a glance. */
const MOST_LINES = 40;

const EFFECTS: Readonly<Record<Receipt['effect'], { readonly sign: string; readonly tone: Tone }>> = {
  confirmed: { sign: '✓', tone: 'good' },
  unverified: { sign: '?', tone: 'doubtful' },
  partial: { sign: '✗', tone: 'bad' },
  no_op: { sign: '✗', tone: 'bad' },
};

/** What an act did, in two or three lines: the effect, what changed, and how. */
export function pageOfReceipt(receipt: Receipt): Page {
  const { effect, target, via, duration_ms: ms, evidence, cursor } = receipt;
  const { sign, tone } = EFFECTS[effect];
  const [, ...below] = outlineReceipt(receipt).split('\n');
  // What is not indented is about the session, not about the act.
  const changes = below.filter((text) => text.startsWith('  ') && !text.startsWith('  evidence: '));
  const shown = changes.slice(0, MOST_LINES);
  return [
    line([span(`${sign} ${effect}`, tone), ...elementWords(target).flatMap((word) => [' ', word])]),
    ...(shown.length > 0 ? [{ kind: 'outline', text: shown.join('\n') } as const] : []),
    ...(changes.length > shown.length ? [line(`and ${changes.length - shown.length} more`, 2)] : []),
    ...(changes.length > 0 ? [] : evidence.slice(0, 2).map((text) => line(text, 2))),
    line(span(`via ${via} · ${Math.round(ms)} ms · cursor ${cursor}`, 'quiet'), 2),
  ];
}

function elementWords({ role, name, ref }: Receipt['target']): readonly Span[] {
  return [
    span(role, 'role'),
    ...(name === undefined ? [] : [span(quote(name), 'name')]),
    ...(ref === undefined ? [] : [span(ref, 'reference')]),
  ];
}

/** Windows as a table. */
export function tableOfWindows(windows: readonly WindowSummary[], indent = 0): Block {
  return table(
    [
      { title: 'REF' },
      { title: 'TITLE', narrow: 'clip' },
      { title: 'APP', narrow: 'clip' },
      { title: 'PID', align: 'right' },
      { title: 'SIZE', align: 'right' },
      { title: 'STATE', narrow: 'wrap' },
    ],
    windows.map((window) => [
      span(window.ref, 'reference'),
      span(window.title, 'name'),
      window.app,
      span(String(window.pid), 'quiet'),
      window.bounds === undefined ? '' : `${window.bounds.width}×${window.bounds.height}`,
      statesOf(window),
    ]),
    indent,
  );
}

function statesOf({ focused, minimized, maximized, accessible, reason }: WindowSummary): readonly Span[] {
  const states = [
    ...(focused ? [span('focused', 'good')] : []),
    ...(minimized ? [span('minimized', 'quiet')] : []),
    ...(maximized === true ? [span('maximized', 'quiet')] : []),
    ...(accessible ? [] : [span(`no tree: ${reason ?? 'not accessible'}`, 'bad')]),
  ];
  return states.flatMap((state, index) => (index === 0 ? [state] : [{ text: ' ' }, state]));
}

/** An ISO time as the clock on the wall shows it. */
export function localTime(iso: string | undefined): string {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return iso ?? '';
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A span of time that a person reads: `12 ms`, `3.4 s`, `2 min`. */
export function readableTime(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

type OperationStatus = (typeof OPERATION_STATUSES)[number];

const STATUS_TONES: Readonly<Partial<Record<OperationStatus, Tone>>> = {
  succeeded: 'good',
  running: 'doubtful',
  failed: 'bad',
};

export function statusSpan(status: OperationStatus): Span {
  return { text: status, tone: STATUS_TONES[status] };
}
