import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { AppSummary } from '../../src/model/refs/target.ts';
import type { Desk } from './desk.ts';
import type { Recorder } from './recorder.ts';
import { stringifyCommand } from './shell-words.ts';
import type { Outcome } from './step.ts';

const Apps = z.looseObject({ apps: z.array(AppSummary) });

/** @throws Error when the texts differ */
function expectEqual(actual: string, expected: string, where: string): void {
  if (actual !== expected) {
    throw new Error(`${where} shows ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}.`);
  }
}

function outcomeOf({ effect, via, evidence }: Receipt): Outcome {
  return { effect, evidence: [...evidence, `via ${via}`] };
}

/** The toolkit that an application reports, such as `GTK 3 (3.24.38)`. */
async function toolkitOf(desk: Desk, app: string): Promise<string> {
  const { apps } = await desk.parse('list-apps', {}, Apps);
  const found = apps.find(({ name }) => name.toLowerCase() === app.toLowerCase());
  if (found?.toolkit === undefined) throw new Error(`${app} reports no toolkit.`);
  return found.toolkit_version === undefined ? found.toolkit : `${found.toolkit} (${found.toolkit_version})`;
}

interface DemoParts {
  readonly desk: Desk;
  readonly recorder: Recorder;
  readonly toolkits: Set<string>;
}

async function open(
  { desk, recorder, toolkits }: DemoParts,
  app: string,
  args: readonly string[],
): Promise<void> {
  const launch = { app, wait: true, ...(args.length > 0 ? { args } : {}) };
  await recorder.step(`Launch ${app}`, stringifyCommand('launch', launch), { app }, async () => {
    const { pid } = await desk.call('launch', launch);
    const toolkit = await toolkitOf(desk, app);
    toolkits.add(toolkit);
    return { effect: 'confirmed', evidence: [`its window is open (pid ${String(pid)}, ${toolkit})`] };
  });
  const look = { app, compact: true };
  const subject = { app, isAnnotated: true } as const;
  await recorder.step(`Read the window of ${app}`, stringifyCommand('snapshot', look), subject, async () => {
    const outline = await desk.outline(look);
    const refs = outline.match(/@e\d+/g)?.length ?? 0;
    if (refs === 0) throw new Error('The outline contains no element that can be used.');
    return { effect: 'observed', evidence: [`${refs} elements with a reference`], outline };
  });
}

/** Finds an element and presses it, as two steps. */
async function press(
  { desk, recorder }: DemoParts,
  what: string,
  query: Readonly<Record<string, unknown>> & { readonly app: string },
): Promise<void> {
  const { app } = query;
  const { ref, node } = await recorder.look(
    `Find ${what}`,
    stringifyCommand('find', query),
    { app },
    async () => {
      const found = await desk.find(query);
      return {
        value: found,
        evidence: [`${found.ref} ${found.node.role} ${JSON.stringify(found.node.name ?? '')}`],
      };
    },
  );
  const pressed = `Press ${what} (${node.role})`;
  await recorder.step(pressed, stringifyCommand('click', { ref }), { app, ref }, async () => {
    return outcomeOf(await desk.act('click', { ref }));
  });
}

/** Qt: press 7 × 6 = and read the display. Returns what the calculator shows. */
export async function calculate(parts: DemoParts): Promise<string> {
  const { desk, recorder } = parts;
  const app = 'kcalc';
  await open(parts, app, []);
  for (const key of ['7', '×', '6', '='])
    await press(parts, key, { query: key, app, role: 'button', exact: true });
  const query = { app, role: 'group' };
  const display = await recorder.look(
    'Find the display',
    stringifyCommand('find', query),
    { app },
    async () => {
      const found = await desk.find(query);
      const { name, description } = found.node;
      return {
        value: found,
        evidence: [`${found.ref} group ${JSON.stringify(name)}: ${description ?? 'no description'}`],
      };
    },
  );
  const get = { property: 'text', ref: display.ref };
  let shown = '';
  await recorder.step('Read the result from the display', stringifyCommand('get', get), { app }, async () => {
    shown = (await desk.get(get)).trim();
    expectEqual(shown, '42', 'The display');
    return { effect: 'confirmed', evidence: [`a fresh read of ${display.ref} returns ${shown}`] };
  });
  return shown;
}

/** GTK: write the result into an editor, save it through the editor's own menu, and read it back from the editor and from disk. */
export async function takeNote(parts: DemoParts, file: string, text: string): Promise<void> {
  const { desk, recorder } = parts;
  const app = 'mousepad';
  await writeFile(file, '');
  const name = basename(file);
  await open(parts, app, [name]);

  const editor = await desk.find({ role: 'textbox', app });
  const set = { ref: editor.ref, value: text };
  await recorder.step(
    'Write it into the editor',
    stringifyCommand('set-value', set),
    { app, ref: editor.ref },
    async () => {
      return outcomeOf(await desk.act('set-value', set));
    },
  );
  await press(parts, 'File', { query: 'File', app, exact: true });
  await press(parts, 'Save', { query: 'Save', app, role: 'menuitem', exact: true });
  const get = { property: 'value', ref: editor.ref };
  await recorder.step(
    'Read the text back from the editor',
    stringifyCommand('get', get),
    { app },
    async () => {
      const shown = (await desk.get(get)).trimEnd();
      expectEqual(shown, text, 'The editor');
      return {
        effect: 'confirmed',
        evidence: [`a fresh read of ${editor.ref} says ${JSON.stringify(shown)}`],
      };
    },
  );
  await recorder.step('Look at the file that the editor saved', `cat ${name}`, { app }, async () => {
    const saved = (await readFile(file, 'utf8')).trimEnd();
    expectEqual(saved, text, name);
    return { effect: 'confirmed', evidence: [`${name} on disk contains ${JSON.stringify(saved)}`] };
  });
}
