import { z } from 'zod';
import { Change, Receipt } from '../../model/effects/effect.ts';
import { inputOf } from '../../model/effects/via.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import { isRecord } from '../../model/is-record.ts';
import type { StepCommand } from '../../registry/define.ts';

const LONGEST_EVIDENCE = 100;

/** What a step did, on one line. */
export function stepLine(command: StepCommand, output: Readonly<Record<string, unknown>>): string {
  const act = Act.safeParse(output).data;
  if (act !== undefined) return [actLine(act), ...openedOrClosed(output)].join('; ');
  const { fields, effect } = output;
  if (Array.isArray(fields) && typeof effect === 'string') {
    const targets = fields.flatMap((field: unknown) => (isRecord(field) ? [nameOf(field['target'])] : []));
    return [`${effect}: ${targets.join(', ')}`, ...openedOrClosed(output)].join('; ');
  }
  return command.outline(output).split('\n')[0] ?? '';
}

const Act = Receipt.pick({ target: true, effect: true, evidence: true, via: true });
type Act = z.output<typeof Act>;

function actLine({ target, effect, evidence, via }: Act): string {
  const by = inputOf(via);
  const [why] = evidence;
  const seen = why === undefined ? '' : ` (${clip(why, LONGEST_EVIDENCE)})`;
  return `${effect}: ${nameOf(target)}${by === undefined ? '' : ` by ${by}`}${seen}`;
}

function nameOf(target: unknown): string {
  const { data } = Receipt.shape.target.safeParse(target);
  if (data === undefined) return '';
  const { role, name, ref } = data;
  return [role, name === undefined ? '' : quoteClipped(name), ref ?? '']
    .filter((part) => part !== '')
    .join(' ');
}

/** Windows that came and went: what the next step may need. */
function openedOrClosed({ changes: given }: Readonly<Record<string, unknown>>): string[] {
  const { data: changes = [] } = z.array(Change).safeParse(given);
  return changes.flatMap(({ kind, name = '', ref = '' }) => {
    if (kind === 'window_opened') return [`opened ${quoteClipped(name)} ${ref}`.trimEnd()];
    return kind === 'window_closed' ? [`closed ${quoteClipped(name)}`] : [];
  });
}
