import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { compare, LOOK_ONCE_MS, describeCheck } from '../../model/effects/expectation.ts';
import type { Check, Expected, Outcome, Seen } from '../../model/effects/expectation.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { WITHHELD } from '../../model/text/withheld.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { isTransient, nonSecretNodes, observeElement } from '../reading/observe-element.ts';
import type { ElementObservation, LookOptions } from '../reading/observe-element.ts';
import { named } from '../refs/target.ts';
import type { ExpectRequest, MetExpectation } from '../requests/desktop.ts';
import { heldValue, valueEquality } from '../tree/element-value.ts';
import { waitFor, type Basis } from '../wait.ts';
import { KnownWindows } from './known-windows.ts';

/** Limits for searching the content of a container. */
const TEXT_LIMITS = { maxNodes: 2000, wholeTree: false, includeActions: false } as const;

/**
 * Checks an element until all expectations hold; only once if `deadlineMs` is 0.
 * @throws DeskterityError EXPECTATION_FAILED with `failures`, and the errors of resolving the element
 */
export async function expectElement(parts: EngineParts, request: ExpectRequest): Promise<MetExpectation> {
  const watcher = new Expectation(parts, request);
  if (request.deadlineMs <= 0) return (await watcher.look(LOOK_ONCE_MS)) ?? watcher.fail(0);
  const began = parts.clock.now();
  const { deadlineMs, signal } = request;
  try {
    return await waitFor(
      parts,
      { deadlineMs, signal, what: 'The expected state was not reached' },
      (leftMs, basis) => watcher.look(leftMs, basis),
    );
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code !== 'TIMEOUT') throw error;
    return watcher.fail(Math.round(parts.clock.now() - began));
  }
}

const ANEW: Basis = { mirrored: false, sameWindows: false };

/** One expectation and its last observations. */
class Expectation {
  private readonly parts: EngineParts;
  private readonly request: ExpectRequest;
  private last: { readonly observed: ElementObservation; readonly outcome: Outcome } | undefined;
  private readonly windows = new KnownWindows();
  /** Why the last look saw nothing. */
  private unanswered: DeskterityError | undefined;

  constructor(parts: EngineParts, request: ExpectRequest) {
    this.parts = parts;
    this.request = request;
  }

  /** The checks if all of them pass. */
  async look(deadlineMs: number, basis: Basis = ANEW): Promise<MetExpectation | undefined> {
    const { ref, expected, signal } = this.request;
    try {
      const options = liveDeadline({ deadlineMs, signal, ...basis, windows: this.windows }, this.parts.clock);
      const observed = await observeElement(this.parts, ref, options);
      const outcome = await this.judge(observed, expected, options);
      const restsOnMirror =
        basis.mirrored && (observed.missing !== undefined || expected.contains_text !== undefined);
      if (restsOnMirror && outcome.failures.length === 0) return await this.look(options.deadlineMs);
      this.unanswered = undefined;
      this.last = { observed, outcome };
      if (outcome.failures.length > 0) return undefined;
      const given = parseRef(ref) === undefined ? undefined : ref;
      return { ref: observed.missing === undefined ? observed.target.ref : given, checks: outcome.checks };
    } catch (error) {
      if (!isTransient(error)) throw error;
      this.unanswered = error;
      return undefined;
    }
  }

  fail(waitedMs: number): never {
    const { last, unanswered, request } = this;
    // Nothing was seen, so nothing is known to differ from the expectation.
    if (last === undefined) throw unanswered ?? neverSeen(request.ref);
    const { failures } = last.outcome;
    const within = waitedMs === 0 ? '' : ` within ${Math.round(request.deadlineMs)} ms`;
    const lines = failures.map((failure) => `\n  ${describeCheck(failure)}`);
    const silent = unanswered === undefined ? '' : `\n  since then: ${unanswered.message}`;
    throw new DeskterityError(
      'EXPECTATION_FAILED',
      `${called(request.ref, last.observed)} was not as expected${within}.${lines.join('')}${silent}`,
      {
        suggestion: `Check it with ${mentionCommand('snapshot')}, or raise ${mentionParameter('timeout_ms')} if it only needs more time.`,
        retryable: true,
        ...(last.observed.missing === undefined ? {} : { candidates: last.observed.missing.candidates }),
        result: { passed: false, failures, waited_ms: waitedMs },
      },
    );
  }

  private async judge(
    observed: ElementObservation,
    expected: Expected,
    options: LookOptions,
  ): Promise<Outcome> {
    if (observed.missing) return compare(expected, undefined, () => false);
    const { info, target, isSecret } = observed;
    const has = (state: (typeof info.allStates)[number]): boolean => info.allStates.includes(state);
    const seen: Seen = {
      visible: info.onScreen,
      enabled: !has('disabled'),
      focused: has('focused'),
      checked:
        (has('checked') || (info.node.role === 'togglebutton' && has('pressed'))) && !has('indeterminate'),
      role: info.node.role,
      title: info.node.name ?? '',
      value: isSecret ? WITHHELD : heldValue(target.node),
      contains_text: isSecret ? WITHHELD : await this.textOf(observed, expected.contains_text, options),
    };
    const outcome = compare(expected, seen, valueEquality(target.node));
    return isSecret ? withSecretsFailed(outcome) : outcome;
  }

  /** The element's own text; if that does not contain the wanted text, with the text of everything on screen inside it. */
  private async textOf(
    { info, target }: Exclude<ElementObservation, { readonly missing: DeskterityError }>,
    wanted: string | undefined,
    options: LookOptions,
  ): Promise<string> {
    const own = info.text ?? '';
    if (wanted === undefined || own.includes(wanted)) return own;
    const root = target.node.handle;
    const read = await this.parts.desktop.readTree({ ...options, ...TEXT_LIMITS, root });
    const withheld = await this.parts.readings.withheld();
    const texts = nonSecretNodes(read.root, withheld)
      .filter((node) => node !== read.root)
      .flatMap(({ name, value = '' }) => [name, value])
      .filter((text) => text !== '');
    return [own, ...texts].filter((text) => text !== '').join(' ');
  }
}

/** Secrets must not be learned by guessing: every expectation about one fails. */
function withSecretsFailed({ checks, failures }: Outcome): Outcome {
  const isAboutContent = ({ property }: Check): boolean =>
    property === 'value' || property === 'contains_text';
  return { checks, failures: checks.filter((check) => isAboutContent(check) || failures.includes(check)) };
}

function called(ref: string, observed: ElementObservation): string {
  if (observed.missing) return ref;
  return named(ref, observed.info.node);
}

function neverSeen(ref: string): DeskterityError {
  return new DeskterityError('TIMEOUT', `${ref} could not be read in time.`, {
    suggestion: `Raise ${mentionParameter('timeout_ms')}.`,
    retryable: true,
  });
}
