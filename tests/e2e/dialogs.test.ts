import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import { usePlace } from './harness.ts';
import { ActsApp, DIALOGS_KINDS } from './support/acts-app.ts';
import { ListedWindows } from './support/answers.ts';

const place = usePlace();

/** What changes with the page: assistants of GTK have its title, and the texts of all pages. */
const PAGE: Readonly<Record<(typeof DIALOGS_KINDS)[number], (number: number, text: string) => object>> = {
  'dialogs of gtk3': (number) => ({ kind: 'changed', role: 'window', after: `name "Step ${number}"` }),
  'dialogs of qt6': (_, name) => ({ kind: 'appeared', name }),
};

async function windows(app: ActsApp): Promise<number> {
  return (await app.desk('list-windows', '--app', String(app.pid))).ok(ListedWindows).windows.length;
}

describe.each(DIALOGS_KINDS)('%s', (kind) => {
  let started: ActsApp | undefined;
  beforeAll(async () => {
    started = await ActsApp.start(place(), kind);
  });
  afterAll(() => started?.stop());
  const application = (): ActsApp => {
    if (started === undefined) throw new Error(`${kind} did not start`);
    return started;
  };

  async function click(name: string) {
    const app = application();
    return (await app.desk('click', await app.ref(name, 'button'))).receipt;
  }

  it('Next of an assistant is confirmed by the page that it brings', async () => {
    const app = application();
    await click('Guide');
    for (const [number, text] of [
      [2, 'Choose a place'],
      [3, 'All is chosen'],
    ] as const) {
      const { effect, changes } = await click('Next');
      expect([text, effect]).toEqual([text, 'confirmed']);
      expect(changes).toContainEqual(expect.objectContaining(PAGE[kind](number, text)));
    }
    const pages = (await app.events()).filter(({ widget }) => widget === 'guide');
    expect(pages.map(({ value }) => value).slice(-2)).toEqual([1, 2]);
    await app.desk('press', 'Escape', '--app', String(app.pid));
    await until(async () => (await windows(app)) === 1, 'the assistant to close');
  });

  it('a dialog that closes half a second after its button confirms the press', async () => {
    await click('Settings');
    const { effect, evidence } = await click('Accept');
    expect([effect, evidence.join()]).toEqual([
      'confirmed',
      expect.stringContaining('window closed: "Settings"'),
    ]);
    expect(await application().count('settings', 'accepted')).toBe(1);
  });

  it('Open of a file chooser is confirmed by the chooser that closes', async () => {
    const app = application();
    await click('Choose');
    await until(async () => (await app.count('chooser', 'selected')) > 0, 'the file to be selected');
    const { effect, evidence } = await click('Open');
    expect([effect, evidence.join()]).toEqual([
      'confirmed',
      expect.stringContaining('window closed: "Choose a file"'),
    ]);
    expect(await app.count('chooser', 'opened')).toBe(1);
  });
});
