import { z } from 'zod';
import { byAnyStrategy, STATE_READ_AGAIN } from '../../model/effects/guarantees.ts';
import { Change, Effect, Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { Planned } from '../../model/effects/planned.ts';
import { mergeChanges } from '../../model/effects/merge-changes.ts';
import { inputOf } from '../../model/effects/via.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { clip, reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, ModeChoice, outlineChange, timeout, windowScope } from '../../registry/define.ts';
import { asLastSeen } from './fill-later.ts';
import { called, Field, fillField, findField, type Filled, type FoundField } from './fill-field.ts';

/** What happened to one field. */
const FieldReceipt = z
  .object({
    target: Receipt.shape.target,
    effect: Effect,
    evidence: z.array(z.string()),
    via: z.enum(['keyboard', 'pointer']).optional().describe('Absent if it took neither.'),
  })
  .meta({ id: 'FieldReceipt' });
type FieldReceipt = z.output<typeof FieldReceipt>;

const Output = z.object({
  fields: z.array(FieldReceipt).describe('One receipt per field, in the order given.'),
  effect: z.enum(['confirmed', 'unverified']).describe('confirmed if every field is.'),
  changes: z.array(Change).optional().describe('What else changed in the window.'),
  failed: Receipt.shape.target
    .extend({ code: z.string() })
    .optional()
    .describe('In a failure: the field, and the code of its error.'),
  not_tried: z.array(Receipt.shape.target).optional().describe('In a failure: the fields after it.'),
  cursor: z.string().optional(),
  duration_ms: z.number().nonnegative(),
});
type Output = z.output<typeof Output>;

const input = z.object({
  fields: z.array(Field).min(1).max(100).describe('The fields.'),
  ...windowScope,
  mode: ModeChoice.describe('What all acts may use.'),
  timeout_ms: timeout(30_000),
});

/** Time for the receipts after the deadline. */
const REPORT_MS = 1000;

export default defineCommand({
  name: 'fill',
  group: 'interaction',
  kind: 'act',
  guarantee: byAnyStrategy(STATE_READ_AGAIN),
  title: 'Fill in a form',
  toolsets: ['core'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Fill many fields, with a receipt for each.',
  description:
    'Check boxes, switches and radio buttons take on or off; combo boxes, lists and radio groups a name. ' +
    'All targets are found before the first is touched; stops at the first failure.',
  input,
  cli: { fields: { bare: 'pairs' } },
  positionals: ['fields'],
  output: Output,
  examples: [
    {
      about: 'A form, by locators in one application',
      input: {
        fields: [
          { target: 'role:textbox[name="Name"]', value: 'Ada' },
          { target: 'role:checkbox[name="Newsletter"]', value: 'on' },
        ],
        app: 'Contacts',
      },
    },
    { about: 'By reference', input: { fields: [{ target: '@e4', value: '5' }] } },
  ],
  deadlineMs: ({ timeout_ms: limit }) => limit + REPORT_MS,
  outline: ({ fields, changes = [], cursor }) =>
    [
      ...fields.map((field) => fieldLine(field)),
      ...changes.map((change) => `  ${outlineChange(change)}`),
      ...(cursor === undefined ? [] : [`cursor ${cursor}`]),
    ].join('\n'),
  run: async (ctx, { fields, app, window, mode, timeout_ms: limit }): Promise<Output> => {
    const started = ctx.clock.now();
    const left = (): number => limit - (ctx.clock.now() - started);
    const engine = await ctx.engine({ targets: [...fields.map(({ target }) => target), window] });
    const search = { scope: { app, window }, left, signal: ctx.signal };
    const found: FoundField[] = [];
    for (const [index, field] of fields.entries()) {
      const one = await findField(ctx, engine, field, search).catch((error: unknown) => {
        throw notFound(error, index, field);
      });
      refuseTwice(found, one, index);
      found.push(one);
    }
    const done: Filled[] = [];
    const planned: string[] = [];
    for (const field of found) {
      ctx.progress?.({ message: `filling ${called(field.target)}` });
      try {
        if (left() <= 0) throw outOfTime(limit);
        done.push(await fillField(ctx, field, { mode, left, signal: ctx.signal }));
      } catch (error) {
        if (!(error instanceof Planned)) throw failed(error, found, done);
        planned.push(`${called(field.target)} by ${error.step}`);
      }
    }
    if (planned.length > 0) throw new Planned(planned.join('; '));
    const cursor = cursorOf(done);
    const told = summary(done);
    return {
      ...told,
      effect: told.fields.every(({ effect }) => effect === 'confirmed') ? 'confirmed' : 'unverified',
      ...(cursor === undefined ? {} : { cursor }),
      duration_ms: Math.round(ctx.clock.now() - started),
    };
  },
});

function notFound(error: unknown, index: number, { target }: Field): unknown {
  if (!(error instanceof DeskterityError)) return error;
  const message = `Field ${index + 1} (${reveal(clip(target, 80))}): ${error.message} No field was filled.`;
  return error.with({ message, delivered: false });
}

function refuseTwice(found: readonly FoundField[], { ref, target }: FoundField, index: number): void {
  const earlier = found.findIndex((other) => other.ref === ref);
  if (earlier === -1) return;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `Fields ${earlier + 1} and ${index + 1} are the same element, ${called(target)}. No field was filled.`,
    { suggestion: 'Give each element once.', delivered: false },
  );
}

function outOfTime(limit: number): DeskterityError {
  return new DeskterityError('TIMEOUT', `The ${limit} ms for all fields are over.`, {
    suggestion: `Give the fields that were not tried again, or a longer ${mentionParameter('timeout_ms')}.`,
    delivered: false,
  });
}

/** One receipt per field, and what else changed, once. */
function summary(done: readonly Filled[]): Pick<Output, 'fields' | 'changes'> {
  const told = new Set(done.flatMap(({ target }) => target.ref ?? []));
  const changes = mergeChanges(
    done.map((one) => one.changes ?? []),
    told,
  );
  return {
    fields: done.map((one, at) => receiptOf(asLastSeen(one, done.slice(at + 1)))),
    ...(changes.length === 0 ? {} : { changes }),
  };
}

function receiptOf({ target, effect, evidence, via: how }: Filled): FieldReceipt {
  const via = inputOf(how);
  return {
    target,
    effect,
    // One observation confirms; if none does, all of them explain why.
    evidence: effect === 'confirmed' ? evidence.slice(0, 1) : evidence,
    ...(via === undefined ? {} : { via }),
  };
}

function cursorOf(done: readonly Filled[]): string | undefined {
  return done.findLast(({ cursor }) => cursor !== undefined)?.cursor;
}

const LONGEST_EVIDENCE = 100;

function fieldLine({ target, effect, evidence, via }: FieldReceipt): string {
  const why = evidence.map((line) => clip(reveal(line), LONGEST_EVIDENCE)).join('; ');
  return `${effect}: ${called(target)}${via === undefined ? '' : ` via ${via}`}${why === '' ? '' : `: ${why}`}`;
}

/** The failure of a field, with the receipts of those before it. */
function failed(cause: unknown, found: readonly FoundField[], done: readonly Filled[]): unknown {
  if (!(cause instanceof DeskterityError)) return cause;
  const at = done.length;
  const field = found[at];
  const tried = Receipt.safeParse(cause.result).data;
  const all =
    tried === undefined || field === undefined ? done : [...done, { ...tried, target: field.target }];
  const notTried = found.slice(at + 1).map(({ target }) => target);
  const result = {
    ...summary(all),
    ...(field === undefined ? {} : { failed: { ...field.target, code: cause.code } }),
    not_tried: notTried,
    ...(cursorOf(all) === undefined ? {} : { cursor: cursorOf(all) }),
  };
  const name = field === undefined ? '' : called(field.target);
  const rest =
    notTried.length === 0 ? '' : ` Not tried: ${notTried.map((target) => called(target)).join(', ')}.`;
  const isEnded = cause.code === 'CANCELLED' || cause.code === 'POLICY_DENIED';
  return new DeskterityError(
    isEnded ? cause.code : 'ACTION_FAILED',
    `Field ${at + 1} of ${found.length}, ${name}, was not filled (${cause.code}): ${cause.message}${rest}`,
    {
      suggestion: cause.suggestion,
      candidates: cause.candidates,
      platformDetail: cause.platformDetail,
      delivered: cause.delivered === true || done.some(({ delivered }) => delivered),
      result,
      report: result.fields.map((one) => fieldLine(one)).join('\n'),
      cause,
    },
  );
}
