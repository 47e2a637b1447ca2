import { z } from 'zod';
import data from '../../../../docs/proof/twins-harmless.json' with { type: 'json' };
import type { SeenNode } from './tree.ts';

const Harmless = z.object({
  states: z.array(z.object({ state: z.string(), roles: z.array(z.string()).optional(), reason: z.string() })),
  roles: z.array(z.object({ role: z.string(), isEmpty: z.literal(true).optional(), reason: z.string() })),
  values: z.array(z.object({ role: z.string(), reason: z.string() })),
  names: z.array(z.object({ part: z.string(), drawn: z.literal(true).optional(), reason: z.string() })),
  files: z.array(z.object({ path: z.string(), contents: z.boolean().optional(), reason: z.string() })),
  pictures: z.array(z.object({ what: z.string(), reason: z.string() })),
});

/** Stands for what was left out of a name and is drawn; no application writes it. */
const LEFT_OUT = '\u2063';

/** The differences that do not count, each with its reason: `docs/proof/twins-harmless.json`, reviewed by people. */
export const HARMLESS = Harmless.parse(data);

const PARTS = HARMLESS.names.map(({ part, drawn }) => ({
  form: new RegExp(part, 'g'),
  instead: drawn === true ? LEFT_OUT : '',
}));
const FILES = HARMLESS.files.map(({ path, contents }) => ({
  form: new RegExp(path),
  contents: contents === true,
}));

/** A name or text without what applications add to it at any moment. */
export function steadyName(name: string): string {
  return PARTS.reduce((left, { form, instead }) => left.replaceAll(form, instead), name);
}

/** Whether a node draws what was left out of its name or text, so that its picture says no more than these. */
export function drawsLeftOut({ name, text = '' }: SeenNode): boolean {
  return name.includes(LEFT_OUT) || text.includes(LEFT_OUT);
}

export function isHarmlessNode({ role, name, text = '', children }: SeenNode): boolean {
  const isEmpty = name === '' && text === '' && children.length === 0;
  return HARMLESS.roles.some((rule) => rule.role === role && (rule.isEmpty !== true || isEmpty));
}

/**
 * LibreOffice Draw shows in its status bar where the pointer last was over the page, and a size of nothing as long as no object is selected. With
 * an object, or a frame that is being drawn, the size is not zero, and the text counts.
 */
const OF_POINTER = /^-?\d+[.,]\d{2} \/ -?\d+[.,]\d{2}\s+0[.,]00 x 0[.,]00$/;

/** Whether a text only says where the pointer was: where both sides show one, neither it nor its picture is compared. */
export function isOfPointer({ role, text = '' }: SeenNode, parent: SeenNode | undefined): boolean {
  return role === 'label' && parent?.role === 'status bar' && OF_POINTER.test(text);
}

/** The value of a node, if it is compared. */
export function tellingValue({ role, value }: SeenNode): number | undefined {
  return HARMLESS.values.some((rule) => rule.role === role) ? undefined : value;
}

/** The states of a node that are compared. */
export function tellingStates({ role, states }: SeenNode): readonly string[] {
  return states.filter(
    (state) =>
      !HARMLESS.states.some(
        (rule) => rule.state === state && (rule.roles === undefined || rule.roles.includes(role)),
      ),
  );
}

/** How a file is compared: not at all, by its presence, or by its contents. */
export function comparedFile(path: string): 'not' | 'presence' | 'contents' {
  const rule = FILES.find(({ form }) => form.test(path));
  if (rule === undefined) return 'contents';
  return rule.contents ? 'presence' : 'not';
}
