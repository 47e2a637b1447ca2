import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { OutputNode } from '../../src/model/node.ts';
import type { Receipt } from '../../src/model/effect.ts';
import { AppSummary } from '../../src/model/target.ts';
import type { Desk, Found } from './desk.ts';
import type { Recorder } from './recorder.ts';
import { stringifyCommand } from './shell-words.ts';
import type { Outcome } from './step.ts';

const Apps = z.looseObject({ apps: z.array(AppSummary) });

/** A failed expectation, in a sentence. */
function expectEqual(actual: string, expected: string, where: string): void {
  if (actual !== expected) {
    throw new Error(`${where} shows ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}.`);
  }
}

function outcomeOf(receipt: Receipt): Outcome {
  const changes = (receipt.changes ?? []).slice(0, 4).map((change) => {
    const values =
      change.after === undefined
        ? ''
        : `: ${JSON.stringify(change.before ?? '')} → ${JSON.stringify(change.after)}`;
    return `${change.kind} ${change.role ?? ''} ${change.name ?? change.ref ?? ''}`.trim() + values;
  });
  return { effect: receipt.effect, evidence: [`via ${receipt.via}`, ...receipt.evidence, ...changes] };
}

function isPressable(node: OutputNode): boolean {
  return /button|switch|checkbox/.test(node.role);
}

function isEditor(node: OutputNode): boolean {
  return node.states?.includes('focused') === true || (node.bounds?.height ?? 0) > 100;
}

/** What an application says its toolkit is, such as `GTK 3.24.38`. */
async function toolkitOf(desk: Desk, app: string): Promise<string> {
  const { apps } = await desk.parse('list-apps', {}, Apps);
  const found = apps.find(({ name }) => name.toLowerCase() === app.toLowerCase());
  if (found?.toolkit === undefined) throw new Error(`${app} names no toolkit.`);
  return [found.toolkit, found.toolkit_version].filter((word) => word !== undefined).join(' ');
}

interface Stage {
  readonly desk: Desk;
  readonly recorder: Recorder;
  readonly toolkits: Set<string>;
}

async function open(
  { desk, recorder, toolkits }: Stage,
  app: string,
  args: readonly string[],
): Promise<void> {
  const launch = { app, wait: true, ...(args.length > 0 ? { args } : {}) };
  await recorder.step(`Launch ${app}`, stringifyCommand('launch', launch), { app }, async () => {
    const { pid } = await desk.call('launch', launch);
    const toolkit = await toolkitOf(desk, app);
    toolkits.add(toolkit);
    return { effect: 'confirmed', evidence: [`its window is there (pid ${String(pid)}, ${toolkit})`] };
  });
  const look = { app, compact: true };
  await recorder.step(`Read the window of ${app}`, stringifyCommand('snapshot', look), { app }, async () => {
    const outline = await desk.outline(look);
    const refs = outline.match(/@e\d+/g)?.length ?? 0;
    if (refs === 0) throw new Error('The outline holds no element that can be used.');
    return { effect: 'observed', evidence: [`${refs} elements with a reference`], outline };
  });
}

/** GTK: press 7 × 6 = and read the display. Returns what the calculator shows. */
export async function calculate(stage: Stage): Promise<string> {
  const { desk, recorder } = stage;
  const app = 'galculator';
  await open(stage, app, []);
  let shown = '';
  for (const key of ['7', '*', '6', '=']) {
    const query = { query: key, app, exact: true };
    let button: Found | undefined;
    await recorder.step(`Find the button ${key}`, stringifyCommand('find', query), undefined, async () => {
      button = await desk.find(query, isPressable);
      return {
        effect: 'observed',
        evidence: [`${button.ref} ${button.node.role} "${button.node.name ?? ''}"`],
      };
    });
    const ref = button?.ref ?? '';
    await recorder.step(`Press ${key}`, stringifyCommand('click', { ref }), { app }, async () => {
      return outcomeOf(await desk.act('click', { ref }));
    });
  }
  const display = await desk.find({ role: 'textbox', app, query: '' });
  const get = stringifyCommand('get', { property: 'value', ref: display.ref });
  await recorder.step('Read the result from the display', get, { app }, async () => {
    shown = (await desk.value(display.ref)).trim();
    expectEqual(shown, '42', "galculator's display");
    return { effect: 'confirmed', evidence: [`a fresh read of ${display.ref} says ${shown}`] };
  });
  return shown;
}

/** Qt: write the result into an editor, save it with the editor's own button, and read it back twice. */
export async function takeNote(stage: Stage, file: string, text: string): Promise<void> {
  const { desk, recorder } = stage;
  const app = 'featherpad';
  await writeFile(file, '');
  await open(stage, app, [file]);

  const editor = await desk.find({ role: 'textbox', app, query: '' }, isEditor);
  const set = { ref: editor.ref, value: text };
  await recorder.step(
    'Write the result into the editor',
    stringifyCommand('set-value', set),
    { app },
    async () => {
      return outcomeOf(await desk.act('set-value', set));
    },
  );
  const save = await desk.find({ query: 'Save', role: 'button', app, exact: true });
  await recorder.step('Press Save', stringifyCommand('click', { ref: save.ref }), { app }, async () => {
    return outcomeOf(await desk.act('click', { ref: save.ref }));
  });
  const get = stringifyCommand('get', { property: 'value', ref: editor.ref });
  await recorder.step('Read the text back from the editor', get, { app }, async () => {
    const shown = (await desk.value(editor.ref)).trimEnd();
    expectEqual(shown, text, 'The editor');
    return { effect: 'confirmed', evidence: [`a fresh read of ${editor.ref} says ${JSON.stringify(shown)}`] };
  });
  await recorder.step(
    'Look at the file that the editor saved',
    `cat ${basename(file)}`,
    { screen: true },
    async () => {
      const saved = (await readFile(file, 'utf8')).trimEnd();
      expectEqual(saved, text, basename(file));
      return {
        effect: 'confirmed',
        evidence: [`${basename(file)} on the disk says ${JSON.stringify(saved)}`],
      };
    },
  );
}
