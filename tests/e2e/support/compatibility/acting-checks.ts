import { Found } from '../answers.ts';
import type { Form } from '../form.ts';
import type { Reader } from '../reader.ts';
import { counted, ofForms } from './check.ts';

/** The acting commands on our fixtures and our page, judged by their own records. */
export const FORM_ACTING = ofForms({
  click: async (reader, form) => {
    const clicks = await counted(form, 'press', 'clicked');
    const ref = await reader.refOf(form.named('press'));
    await reader.performs(['click', ref], async () => (await clicks()) === 1);
  },
  'set-value': async (reader, form) => {
    await form.set('name', 'text', 'before');
    const ref = await reader.refOf(form.named('name'));
    await reader.performs(['set-value', ref, 'Grace'], holds(form, 'name', 'Grace'));
    // It cannot be read back, so nothing but the application knows.
    const hidden = await reader.refOf(form.named('password'));
    await reader.performs(['set-value', hidden, 'an0ther-word'], holds(form, 'password', 'an0ther-word'));
  },
  type: async (reader, form) => {
    await form.set('name', 'text', '');
    const ref = await reader.refOf(form.named('name'));
    await reader.performs(['type', ref, 'zażółć 日本 😀'], holds(form, 'name', 'zażółć 日本 😀'));
  },
  clear: async (reader, form) => {
    await form.set('notes', 'text', 'before');
    await reader.performs(['clear', await reader.refOf(form.named('notes'))], holds(form, 'notes', ''));
  },
  toggle: async (reader, form) => {
    await form.set('agree', 'checked', false);
    const toggles = await counted(form, 'agree', 'toggled', true);
    const ref = await reader.refOf(form.named('agree'));
    await reader.performs(['toggle', ref], async () => (await toggles()) === 1);
  },
  select: async (reader, form) => {
    const selected = await counted(form, 'colour', 'selected', 'green');
    const ref = await reader.refOf(form.named('colour'));
    await reader.performs(['select', ref, 'green'], async () => (await selected()) > 0);
  },
  expand: (reader, form) => disclose(reader, form, 'expand'),
  collapse: (reader, form) => disclose(reader, form, 'collapse'),
  focus: async (reader, form) => {
    await form.set('notes', 'focused', true);
    const told = await counted(form, 'name', 'focus-in');
    const ref = await reader.refOf(form.named('name'));
    await reader.performs(['focus', ref], async () => (await told()) > 0);
  },
  menu: async (reader, form) => {
    const { path, widget, event } = form.menu;
    const told = await counted(form, widget, event);
    await reader.performs(['menu', path, '--app', reader.app], async () => (await told()) > 0);
  },
});

export function holds(form: Form, widget: string, text: string): () => Promise<boolean> {
  return async () => ((await form.get(widget)).text ?? '') === text;
}

async function disclose(reader: Reader, form: Form, act: 'expand' | 'collapse'): Promise<void> {
  const { tab, widget, name } = form.disclosure;
  await form.showTab(tab);
  try {
    await form.disclosure.set(act === 'collapse');
    const found = (await reader.say('find', name, '--app', reader.app, '--exact')).ok(Found);
    const ref = found.matches[0]?.ref ?? '';
    const told = await counted(form, widget, act === 'expand' ? 'expanded' : 'collapsed');
    await reader.performs([act, ref], async () => (await told()) > 0);
  } finally {
    await form.showTab('General');
  }
}
