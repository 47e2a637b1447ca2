import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startFixture, type Fixture, type FixtureKind } from '../../../fixtures/driver.ts';
import { prune } from '../../../src/model/tree/distill/distill.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { until } from '../../until.ts';

/** Labels of GTK 4 do not tell what they label, and what is hidden is not in its tree. */
const KINDS: readonly FixtureKind[] = ['gtk3', 'qt5', 'qt6'];
const CALL = { deadlineMs: 10_000 };

let place: PrivateDesktop;
let desktop: LinuxDesktop;
let fixtures: Fixture[] = [];

beforeAll(async () => {
  place = await PrivateDesktop.start({ deadlineMs: 20_000 });
  desktop = new LinuxDesktop(place.environment);
  const options = { environment: place.environment, deadlineMs: 20_000 };
  fixtures = await Promise.all(KINDS.map((kind) => startFixture(kind, options)));
});
afterAll(async () => {
  await Promise.all(fixtures.map((fixture) => fixture.stop()));
  await desktop.close();
  await place.stop();
});

type Shown = ReturnType<typeof prune>['root'];

/** The names of all text fields, as snapshots show them. */
async function fields({ pid }: Fixture): Promise<readonly string[]> {
  const [window] = await desktop.listWindows({ ...CALL, pid });
  if (window?.root === undefined) return [];
  const read = { ...CALL, root: window.root, wholeTree: false, maxNodes: 5000, includeActions: false };
  const { root } = prune((await desktop.readTree(read)).root, {
    interactiveOnly: false,
    compact: false,
    includeBounds: true,
    includeActions: false,
    wholeTree: false,
  });
  const below = ({ role, name = '', children = [] }: Shown): readonly string[] => [
    ...(role === 'textbox' ? [name] : []),
    ...children.flatMap(below),
  ];
  return below(root);
}

it.each(KINDS)('the label of a hidden field names no other field in %s', async (kind) => {
  const fixture = fixtures.find((each) => each.kind === kind);
  if (fixture === undefined) throw new Error(`${kind} did not start`);
  await until(async () => (await fields(fixture)).includes('Name'), 'the field to be there');
  await fixture.control('set', { widget: 'name', property: 'visible', value: false });
  // For a second try.
  onTestFinished(async () => {
    await fixture.control('set', { widget: 'name', property: 'visible', value: true });
  });
  await until(async () => (await fields(fixture)).length > 0, 'the others to be there');
  expect(await fields(fixture)).not.toContain('Name');
});
