import { expect, it, vi } from 'vitest';
import { ApplicationDirectory } from '../../../../src/platform/linux/atspi/bus/application-directory.ts';
import { Application } from '../../../../src/platform/linux/atspi/bus/application.ts';
import { Mirrors } from '../../../../src/platform/linux/atspi/mirror/mirrors.ts';

const CALL = { deadlineMs: 1000 } as const;
const FACTS = { name: 'editor', toolkitName: 'Qt', toolkitVersion: '6' };
const GONE_PID = 0;

/** An accessibility bus on which applications come and go. */
function fakeBus() {
  const registered = new Set<string>([':1.1', ':1.2']);
  const processes = new Map([
    [':1.1', process.pid],
    [':1.2', process.pid],
  ]);
  /** The match rules at the bus, by sender. */
  const rules: string[] = [];
  const connection = {
    onSignal: () => () => undefined,
    invoke: async () => 'editor',
    addMatch: async ({ sender }: { readonly sender: string }) => {
      rules.push(sender);
      return async () => void rules.splice(rules.indexOf(sender), 1);
    },
  };
  const bus = {
    connection,
    registerEvents: async () => undefined,
    applications: async () => [...registered].map((name) => ({ bus: name, path: '/root' })),
    processId: async (name: string) => processes.get(name) ?? GONE_PID,
  };
  return { bus, registered, processes, rules };
}

it('what is known of an application is dropped when it has left the bus, and of no other one', async () => {
  const { bus, registered, processes, rules } = fakeBus();
  // @ts-expect-error: only what these two use of the bus
  const mirrors = new Mirrors(bus);
  // @ts-expect-error: only what these two use of the bus
  const directory = new ApplicationDirectory(bus, (name) => mirrors.forget(name));
  const known = await directory.list(CALL);
  const [editor, other] = known.map(({ application }) => application);
  if (editor === undefined || other === undefined) throw new Error('two applications are listed');
  for (const each of [editor, other]) await mirrors.current(each, CALL);
  await vi.waitFor(() =>
    expect([editor, other].map((each) => mirrors.observed(each))).not.toContain(undefined),
  );
  expect(new Set(rules)).toEqual(new Set([':1.1', ':1.2']));

  registered.delete(':1.1');
  processes.delete(':1.1');
  await directory.list(CALL);
  await vi.waitFor(() => expect(mirrors.observed(editor)).toBeUndefined());
  expect(new Set(rules)).toEqual(new Set([':1.2']));
  expect(mirrors.observed(other)).toBeDefined();
});

it('an application that is only no longer registered, as one that is embedded, stays known', async () => {
  const { bus, registered } = fakeBus();
  const forgotten: string[] = [];
  // @ts-expect-error: only what it uses of the bus
  const directory = new ApplicationDirectory(bus, (name) => forgotten.push(name));
  await directory.list(CALL);
  registered.delete(':1.1');
  await directory.list(CALL);
  await new Promise((resolve) => setImmediate(resolve));
  expect(forgotten).toEqual([]);
});

it('a mirror that is forgotten while it begins does not stay', async () => {
  const { bus, rules } = fakeBus();
  // @ts-expect-error: only what it uses of the bus
  const mirrors = new Mirrors(bus);
  // @ts-expect-error: only what it uses of the bus
  const editor = new Application(bus, ':1.1', process.pid, FACTS);
  expect(await mirrors.current(editor, CALL)).toBeUndefined();
  mirrors.forget(':1.1');
  await vi.waitFor(() => expect(rules).toEqual([]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(mirrors.observed(editor)).toBeUndefined();
  expect(rules).toEqual([]);
});
