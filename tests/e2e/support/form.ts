import type { Fixture } from '../../../fixtures/driver.ts';
import { expectedWidgets } from '../../../fixtures/widgets.ts';
import type { Role } from '../../../src/model/tree/role.ts';
import type { WebPage } from './web-page.ts';
import { z } from 'zod';

/** An element by role and name. */
export interface Named {
  readonly role: Role;
  readonly name: string;
}

interface FormEvent {
  readonly widget: string;
  readonly event: string;
  readonly value?: unknown;
}

const FormState = z.object({ text: z.string().nullish(), value: z.unknown(), checked: z.unknown() });

/** Our own window or page with the common widgets, which records events and accepts control requests. */
export interface Form {
  /** Role and name of the widget with that id. */
  named(widget: string): Named;
  /** The recorded events, without those caused by {@link Form.set}. */
  events(): Promise<readonly FormEvent[]>;
  get(widget: string): Promise<z.output<typeof FormState>>;
  set(widget: string, property: 'text' | 'value' | 'checked' | 'focused', value: unknown): Promise<void>;
  remove(widget: string): Promise<void>;
  /** Brings a tab to the front, if there are tabs. */
  showTab(title: string): Promise<void>;
  /** A row of the long list that is out of view. */
  readonly farRow: string;
  /** The direction in which the list can still be scrolled after that. */
  readonly wheel: '150' | '-150';
  /** The element that expands and collapses something. */
  readonly disclosure: {
    readonly tab: string;
    readonly widget: string;
    readonly name: string;
    set(open: boolean): Promise<void>;
  };
  /** Path of an item of the menu bar, and the event that the application records when it runs. */
  readonly menu: { readonly path: string; readonly widget: string; readonly event: string };
}

export function fixtureForm(fixture: Fixture): Form {
  return {
    named: (id) => {
      const widget = expectedWidgets(fixture.kind).find((candidate) => candidate.id === id);
      if (!widget) throw new Error(`no widget ${id}`);
      return { role: widget.role, name: widget.name };
    },
    events: async () => (await fixture.events()).filter(({ source }) => source === undefined),
    get: async (widget) => FormState.parse(await fixture.control('get', { widget })),
    set: async (widget, property, value) => {
      await fixture.control('set', { widget, property, value });
    },
    remove: async (widget) => {
      await fixture.control('remove', { widget });
    },
    showTab: async (title) => {
      await fixture.control('set', { widget: 'tabs', property: 'selected', value: title });
    },
    farRow: 'Row 139',
    wheel: '150',
    disclosure: {
      tab: 'Advanced',
      widget: 'files',
      // Rows of GTK 4 have no name; their expander is called "Expand".
      name: fixture.kind === 'gtk4' ? 'Expand' : 'Documents',
      set: async (open) => {
        const value = open ? ['Documents'] : [];
        await fixture.control('set', { widget: 'files', property: 'expanded', value });
      },
    },
    menu: { path: 'File > Save', widget: 'file_save', event: 'menu-activated' },
  };
}

const ON_PAGE: Readonly<Record<string, Named>> = {
  press: { role: 'button', name: 'Press' },
  enable_later: { role: 'button', name: 'Enable later' },
  agree: { role: 'checkbox', name: 'Agree' },
  name: { role: 'textbox', name: 'Name' },
  password: { role: 'textbox', name: 'Password' },
  notes: { role: 'textbox', name: 'Notes' },
  volume: { role: 'slider', name: 'Volume' },
  colour: { role: 'combobox', name: 'Colour' },
  rows: { role: 'list', name: 'Rows' },
};

export function pageForm(page: WebPage): Form {
  return {
    named: (id) => {
      const named = ON_PAGE[id];
      if (named === undefined) throw new Error(`no element ${id}`);
      return named;
    },
    events: async () => page.events,
    get: (widget) => page.order(widget),
    set: async (widget, property, value) => {
      await page.order(widget, property, value);
    },
    remove: async (widget) => {
      await page.order(widget, 'removed');
    },
    showTab: async () => undefined,
    farRow: 'Row 39',
    wheel: '-150',
    disclosure: {
      tab: '',
      widget: 'turn',
      name: 'More',
      set: async (open) => {
        await page.order('turn', 'expanded', open);
      },
    },
    menu: { path: 'Edit > Select All', widget: 'page', event: 'selected' },
  };
}
