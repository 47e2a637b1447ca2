import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Snapshot, Waited } from '../answers.ts';
import type { Reader } from '../reader.ts';
import { activate } from '../subjects.ts';
import { until } from '../../../until.ts';
import { holds } from './acting-checks.ts';
import { ofForms, type Checks } from './check.ts';

/** Usually enough for a command to be waiting; the test is valid either way. */
const UNDER_WAY_MS = 250;
const Passed = z.looseObject({ passed: z.literal(true) });
const Clip = z.looseObject({ text: z.string() });

export const FORM_WAITING: Checks = ofForms({
  'snapshot --since': async (reader, form) => {
    const { cursor } = (await reader.say('snapshot', '--app', reader.app)).ok(Snapshot);
    await form.set('counter', 'text', 'pressed 77');
    await reportsSince(reader, cursor, 'pressed 77');
  },
  'clipboard set': async (reader, form) => {
    (await reader.say('clipboard', 'set', 'zażółć 日本')).ok(z.looseObject({}));
    await form.set('name', 'text', '');
    const ref = await reader.refOf(form.named('name'));
    await reader.performs(['press', 'ctrl+v', '--ref', ref], holds(form, 'name', 'zażółć 日本'));
  },
  'clipboard get': async (reader, form) => {
    await form.set('name', 'text', 'copied 471');
    const ref = await reader.refOf(form.named('name'));
    await reader.say('press', 'ctrl+a', '--ref', ref);
    await reader.say('press', 'ctrl+c', '--ref', ref);
    await clipboardHolds(reader, 'copied 471');
  },
  expect: async (reader, form) => {
    await form.set('agree', 'checked', false);
    const ref = await reader.refOf(form.named('agree'));
    const told = await during(reader, ['expect', ref, '--checked'], () => form.set('agree', 'checked', true));
    told.ok(Passed);
  },
  'wait --value': async (reader, form) => {
    const ref = await reader.refOf(form.named('name'));
    const told = await during(reader, ['wait', '--value', ref, '--is', 'Late'], () =>
      form.set('name', 'text', 'Late'),
    );
    told.ok(Waited);
  },
  'wait --text': async (reader, form) => {
    const told = await during(reader, ['wait', '--text', 'saved 12', '--app', reader.app], () =>
      form.set('counter', 'text', 'Saved 12'),
    );
    told.ok(Waited);
  },
  'wait --focused': async (reader, form) => {
    await activate(reader.place, reader.subject.windowTitle);
    await form.set('notes', 'focused', true);
    const ref = await reader.refOf(form.named('name'));
    const told = await during(reader, ['wait', '--focused', ref], () => form.set('name', 'focused', true));
    told.ok(Waited);
  },
  'wait --gone': async (reader, form) => {
    const ref = await reader.refOf(form.named('enable_later'));
    (await during(reader, ['wait', '--gone', ref], () => form.remove('enable_later'))).ok(Waited);
  },
});

/** Waiting that needs no change in the application. */
export const WAITING_CHECKS: Checks = {
  'wait --element': async (reader) => {
    const target = await reader.refOf(reader.subject.target);
    const waited = (await reader.say('wait', '--element', target)).ok(Waited);
    if (waited.element?.ref !== target) throw new Error('another element');
  },
  'wait --window': async (reader) => {
    const { windowTitle, pid } = reader.subject;
    const waited = (await reader.say('wait', '--window', windowTitle, '--app', reader.app)).ok(Waited);
    if (waited.window?.pid !== pid) throw new Error('another window');
  },
};

/** Runs a command and performs an act while it waits. */
export async function during(reader: Reader, args: readonly string[], act: () => Promise<unknown>) {
  const told = reader.say(...args, '--timeout', '15000');
  await sleep(UNDER_WAY_MS);
  await act();
  return told;
}

export async function clipboardHolds(reader: Reader, text: string): Promise<void> {
  let last = '';
  await until(
    async () => {
      const reply = await reader.say('clipboard', 'get');
      last = reply.exitCode === 0 ? reply.ok(Clip).text : reply.stdout;
      return last.trim() === text;
    },
    `${text} on the clipboard`,
    3000,
  ).catch((error: unknown) => {
    throw new Error(`the clipboard contains ${last}`, { cause: error });
  });
}

export async function reportsSince(reader: Reader, cursor: string, text: string): Promise<void> {
  await until(async () => {
    const reply = await reader.say('snapshot', '--app', reader.app, '--since', cursor);
    if (reply.exitCode !== 0) throw new Error(reply.toString());
    return reply.stdout.includes(text) && reply.stdout.includes('"changes"');
  }, `${text} in what changed since ${cursor}`);
}
