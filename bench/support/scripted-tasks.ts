import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { OutputNode } from '../../src/model/tree/node.ts';
import { renderOutline } from '../../src/model/tree/outline.ts';
import type { Role } from '../../src/model/tree/role.ts';
import { outlineReceipt } from '../../src/registry/outline-parts.ts';
import type { Engine } from '../../src/engine/engine.ts';

const DEADLINE = { deadlineMs: 15_000 };

/** One act of a task, on an element identified by role and name. */
export interface Step {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly act: (engine: Engine, ref: string) => Promise<Receipt>;
}

export const click = (engine: Engine, ref: string): Promise<Receipt> => engine.click({ ...DEADLINE, ref });

/** Typical tasks: a form filled in, a dialog answered, a page chosen and used. */
export const TASKS: Readonly<Record<string, readonly Step[]>> = {
  'fill in a form': [
    step('Name', ['textbox'], (engine, ref) => engine.setValue({ ...DEADLINE, ref, value: 'Ada' })),
    step('Notes', ['textbox'], (engine, ref) => engine.setValue({ ...DEADLINE, ref, value: 'a note' })),
    step('Agree', ['checkbox'], (engine, ref) => engine.act({ ...DEADLINE, ref, act: 'toggle' })),
    step('Colour', ['combobox'], (engine, ref) => engine.select({ ...DEADLINE, ref, option: 'green' })),
    step('Volume', ['slider'], (engine, ref) => engine.setValue({ ...DEADLINE, ref, value: '80' })),
    step('Count', ['spinbutton'], (engine, ref) => engine.setValue({ ...DEADLINE, ref, value: '42' })),
    step('Press', ['button'], click),
  ],
  'answer a dialog': [
    step('Press', ['button'], click),
    step('Open dialog', ['button'], click),
    step('OK', ['button'], click),
    step('Name', ['textbox'], (engine, ref) => engine.setValue({ ...DEADLINE, ref, value: 'Bob' })),
    step('Press', ['button'], click),
  ],
  'take back what was chosen': [
    step('Cherry', ['listitem'], (engine, ref) => engine.select({ ...DEADLINE, ref })),
    step('Bold', ['togglebutton', 'checkbox', 'button'], click),
    step('Bold', ['togglebutton', 'checkbox', 'button'], click),
    step('Agree', ['checkbox'], (engine, ref) => engine.act({ ...DEADLINE, ref, act: 'toggle' })),
    step('Name', ['textbox'], (engine, ref) => engine.act({ ...DEADLINE, ref, act: 'clear' })),
    step('Press', ['button'], click),
  ],
};

function step(name: string, roles: readonly Role[], act: Step['act']): Step {
  return { name, roles, act };
}

export interface Looks {
  readonly snapshots: number;
  /** What a model reads: outlines of snapshots and of receipts. */
  readonly tokens: number;
}

/**
 * Carries out a task as a driver does. A driver without receipts takes a snapshot after every act. One with receipts takes one if an act is not
 * confirmed, or if the next element is neither known already nor among those that the receipt lists as new.
 */
export async function drive(
  engine: Engine,
  app: string,
  steps: readonly Step[],
  readsReceipts: boolean,
): Promise<Looks> {
  let known = new Map<string, string>();
  let [snapshots, tokens] = [0, 0];
  const look = async (): Promise<void> => {
    const { tree } = await engine.snapshot({
      ...DEADLINE,
      app,
      includeBounds: false,
      includeActions: false,
      interactiveOnly: false,
      compact: false,
      wholeTree: false,
      form: 'outline',
    });
    snapshots++;
    tokens += encode(renderOutline(tree)).length;
    known = new Map(
      flatten(tree).flatMap(({ role, name = '', ref }) => (ref ? [[`${role} ${name}`, ref]] : [])),
    );
  };
  const refOf = ({ roles, name }: Step): string | undefined =>
    roles.map((role) => known.get(`${role} ${name}`)).find((ref) => ref !== undefined);
  await look();
  for (const one of steps) {
    if (refOf(one) === undefined) await look();
    const ref = refOf(one);
    if (ref === undefined) throw new Error(`no ${one.roles.join(' or ')} ${JSON.stringify(one.name)}`);
    const receipt = await one.act(engine, ref).catch((error: unknown) => {
      if (error instanceof DeskterityError) return undefined;
      throw error;
    });
    if (readsReceipts && receipt) {
      tokens += encode(outlineReceipt(receipt)).length;
      for (const { kind, role, name = '', ref: its } of receipt.changes ?? [])
        if (kind === 'appeared' && its !== undefined) known.set(`${role} ${name}`, its);
    }
    if (!readsReceipts || receipt?.effect !== 'confirmed') await look();
  }
  return { snapshots, tokens };
}

function flatten(node: OutputNode): OutputNode[] {
  return [node, ...(node.children ?? []).flatMap(flatten)];
}
