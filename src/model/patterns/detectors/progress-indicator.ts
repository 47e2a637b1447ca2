import type { OutputNode } from '../../tree/node.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { areaOf, has, type Screen } from '../screen.ts';
import { isCancel, isStop } from '../words/answers.ts';
import { fieldsOf } from './fields.ts';

const SMALL_DIALOG_NODES = 40;

/** A bar that is neither empty nor full, one that only moves, or a part of a page that says it is busy. */
export function progressIndicator(screen: Screen): Finding | undefined {
  const bars = screen.of('progressbar').filter((bar) => !has(bar, 'disabled'));
  const moving = bars.filter((bar) => isMoving(bar) || (isOnlyTask(screen) && !isFull(bar)));
  const busy = screen.of('status', 'progressbar').filter((node) => has(node, 'busy'));
  const shown = [...new Set([...moving, ...busy])].filter(
    (node) => areaOf(node) > 0 || node.bounds === undefined,
  );
  if (shown.length === 0) return undefined;
  const stop = screen.buttons.find(({ name }) => isCancel(name) || isStop(name));
  return {
    pattern: 'progress_indicator',
    evidence: [...evidenceOf('progress', shown.slice(0, 3)), ...evidenceOf('cancel', [stop])],
  };
}

function isMoving(bar: OutputNode): boolean {
  if (has(bar, 'indeterminate')) return true;
  const value = amount(bar);
  // 1 is all of a fraction, or one per cent.
  return value !== undefined && value > 0 && value !== 1 && value < 100;
}

function isFull(bar: OutputNode): boolean {
  const value = amount(bar);
  return value !== undefined && (value === 1 || value >= 100);
}

function amount({ value = '' }: OutputNode): number | undefined {
  const number = Number.parseFloat(value.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}

/** A small window whose only content is the bar and what stops it. */
function isOnlyTask(screen: Screen): boolean {
  if (screen.nodes.length > SMALL_DIALOG_NODES || fieldsOf(screen).length > 0) return false;
  return screen.buttons.some(({ name }) => isCancel(name) || isStop(name));
}
