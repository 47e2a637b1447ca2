import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError, type Candidate } from '../../model/effects/errors.ts';
import { compare, LOOK_ONCE_MS, describeCheck } from '../../model/effects/expectation.ts';
import type { Check, Expected, Outcome, Seen } from '../../model/effects/expectation.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { WITHHELD } from '../../model/redaction/withheld.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { isTransient, nonSecretNodes, observeElement } from '../reading/observe-element.ts';
import type { ElementObservation, LookOptions } from '../reading/observe-element.ts';
import { isOfAbsentPlace } from '../refs/locate.ts';
import { named } from '../refs/target.ts';
import type {
  ExpectAllRequest,
  ExpectedElement,
  ExpectRequest,
  MetExpectation,
  MetTogether,
} from '../requests/desktop.ts';
import { heldValue, valueEquality } from '../tree/element-value.ts';
import { waitFor, type Basis } from '../wait.ts';
import { KnownWindows } from './known-windows.ts';

/** Limits for searching the content of a container. */
const TEXT_LIMITS = { maxNodes: 2000, wholeTree: false, includeActions: false } as const;

const UNWATCHED =
  'Two readings agree, but changes between them could not be watched for: what changed and changed back was not seen.';

/** {@link expectElements} for one. */
export async function expectElement(
  parts: EngineParts,
  { ref, expected, deadlineMs, signal }: ExpectRequest,
): Promise<MetExpectation> {
  const conditions = [{ ref, expected }];
  const {
    met: [met],
  } = await expectElements(parts, { conditions, deadlineMs, signal });
  if (met === undefined) throw new Error('an expectation was met without a result');
  return met;
}

/**
 * Checks elements until all expectations hold at one moment; only once if `deadlineMs` is 0.
 * @throws DeskterityError EXPECTATION_FAILED with `failures` and `checks`, and the errors of resolving the elements
 */
export async function expectElements(parts: EngineParts, request: ExpectAllRequest): Promise<MetTogether> {
  const { deadlineMs, signal, conditions } = request;
  const isOne = conditions.length === 1;
  const all = conditions.map((condition) => new Expectation(parts, condition, { signal, isOne }));
  const changed = new Set<string>();
  let isWatched = true;
  const noteChange = ({ kind, node }: DesktopEvent): void => {
    if (kind === 'desktop-lost') isWatched = false;
    changed.add(handleKey(node));
  };
  const watchMs = Math.max(deadlineMs, LOOK_ONCE_MS);
  const stop = isOne
    ? () => undefined
    : await parts.desktop.watch(noteChange, { deadlineMs: watchMs, signal }).catch(() => {
        isWatched = false;
        return () => undefined;
      });
  const began = parts.clock.now();
  try {
    const met =
      deadlineMs <= 0
        ? ((await lookAtAll(all, changed, LOOK_ONCE_MS)) ?? failAll(all, request, 0))
        : await waitFor(
            parts,
            { deadlineMs, signal, what: 'The expected state was not reached' },
            (leftMs, basis) => lookAtAll(all, changed, leftMs, basis),
          );
    return { met, notes: isWatched ? [] : [UNWATCHED] };
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code !== 'TIMEOUT') throw error;
    return failAll(all, request, Math.round(parts.clock.now() - began));
  } finally {
    stop();
  }
}

/**
 * One look at all elements. Several are read one after another. Two looks that find the same, with no change reported in between, prove that all
 * expectations held at one moment.
 */
async function lookAtAll(
  expectations: readonly Expectation[],
  changed: Set<string>,
  deadlineMs: number,
  basis: Basis = ANEW,
): Promise<readonly MetExpectation[] | undefined> {
  const look = async (on: Basis): Promise<readonly (MetExpectation | undefined)[]> =>
    Promise.all(expectations.map((expectation) => expectation.look(deadlineMs, on)));
  changed.clear();
  const first = await look(basis);
  if (first.some((met) => met === undefined)) return undefined;
  const seen = expectations.length === 1 ? first : await look(ANEW);
  const met = seen.flatMap((one) => one ?? []);
  const isSteady = !expectations.some(({ key }) => key !== undefined && changed.has(key));
  return met.length === expectations.length && isSteady && isSame(first, seen) ? met : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function failAll(
  expectations: readonly Expectation[],
  { deadlineMs }: ExpectAllRequest,
  waitedMs: number,
): never {
  const [only] = expectations;
  const failed = expectations.filter(({ failures }) => failures.length > 0 || expectations.length === 1);
  // Nothing was seen, so nothing is known to differ from the expectation.
  for (const expectation of failed.length === 0 ? expectations : failed) expectation.requireSeen();
  const within = waitedMs === 0 ? '' : ` within ${Math.round(deadlineMs)} ms`;
  const what =
    only !== undefined && expectations.length === 1
      ? only.called
      : `${failed.length} of ${expectations.length} elements`;
  const verb = failed.length === 1 || expectations.length === 1 ? 'was' : 'were';
  const missing = failed.flatMap(({ candidates }) => candidates);
  throw new DeskterityError(
    'EXPECTATION_FAILED',
    failed.length === 0
      ? `The ${expectations.length} elements kept changing, so not all was as expected at one moment${within}.`
      : `${what} ${verb} not as expected${within}.${failed.map((expectation) => expectation.report).join('')}`,
    {
      suggestion: `Check it with ${mentionCommand('snapshot')}, or raise ${mentionParameter('timeout_ms')} if it only needs more time.`,
      retryable: true,
      ...(missing.length === 0 ? {} : { candidates: missing.slice(0, 10) }),
      result: {
        passed: false,
        failures: expectations.flatMap(({ failures }) => failures),
        checks: expectations.flatMap(({ checks }) => checks),
        waited_ms: waitedMs,
      },
    },
  );
}

const ANEW: Basis = { mirrored: false, sameWindows: false };

/** One expectation and its last observations. */
class Expectation {
  private readonly parts: EngineParts;
  private readonly condition: ExpectedElement;
  private readonly signal: AbortSignal | undefined;
  private readonly isOne: boolean;
  private last: { readonly observed: ElementObservation; readonly outcome: Outcome } | undefined;
  private readonly windows = new KnownWindows();
  /** Why the last look saw nothing. */
  private unanswered: DeskterityError | undefined;

  constructor(
    parts: EngineParts,
    condition: ExpectedElement,
    { signal, isOne }: { readonly signal: AbortSignal | undefined; readonly isOne: boolean },
  ) {
    this.parts = parts;
    this.condition = condition;
    this.signal = signal;
    this.isOne = isOne;
  }

  /** The checks if all of them pass. */
  async look(deadlineMs: number, basis: Basis = ANEW): Promise<MetExpectation | undefined> {
    const { ref, expected } = this.condition;
    const { signal } = this;
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
      return {
        ref: observed.missing === undefined ? observed.target.ref : given,
        checks: this.named(outcome.checks),
      };
    } catch (error) {
      if (!isTransient(error)) throw error;
      this.unanswered = error;
      return undefined;
    }
  }

  /** What the last look found wrong. */
  get failures(): readonly Check[] {
    return this.named(this.last?.outcome.failures ?? []);
  }

  /** Everything that the last look checked. */
  get checks(): readonly Check[] {
    const { checks = [], failures = [] } = this.last?.outcome ?? {};
    const implied = failures.filter((failure) => !checks.includes(failure));
    return this.named([...implied, ...checks]);
  }

  /** The native object that the last look saw. */
  get key(): string | undefined {
    const observed = this.last?.observed;
    return observed === undefined || observed.missing ? undefined : handleKey(observed.target.node.handle);
  }

  get candidates(): readonly Candidate[] {
    return this.last?.observed.missing?.candidates ?? [];
  }

  get called(): string {
    const { ref } = this.condition;
    return this.last === undefined ? ref : called(ref, this.last.observed);
  }

  /** The failures as lines. */
  get report(): string {
    const head = this.isOne ? '' : `\n${this.called}`;
    const lines = (this.last?.outcome.failures ?? []).map((failure) => `\n  ${describeCheck(failure)}`);
    const silent = this.unanswered === undefined ? '' : `\n  since then: ${this.unanswered.message}`;
    return `${head}${lines.join('')}${silent}`;
  }

  /** @throws DeskterityError why nothing was ever seen */
  requireSeen(): void {
    if (this.last === undefined) throw this.unanswered ?? neverSeen(this.condition.ref);
  }

  private named(checks: readonly Check[]): readonly Check[] {
    return this.isOne ? checks : checks.map((check) => ({ target: this.condition.ref, ...check }));
  }

  private async judge(
    observed: ElementObservation,
    expected: Expected,
    options: LookOptions,
  ): Promise<Outcome> {
    if (observed.missing) {
      const because = isOfAbsentPlace(observed.missing) ? observed.missing.message : undefined;
      return compare(expected, undefined, () => false, because);
    }
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
function withSecretsFailed({ checks }: Outcome): Outcome {
  const isAboutContent = ({ property }: Check): boolean =>
    property === 'value' || property === 'contains_text';
  const judged = checks.map((check) => (isAboutContent(check) ? { ...check, passed: false } : check));
  return { checks: judged, failures: judged.filter(({ passed }) => !passed) };
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
