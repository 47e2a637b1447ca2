import { describe, expectTypeOf, it } from 'vitest';
import { Desktop } from '../../../src/surfaces/library/index.ts';
import type {
  DeskterityError,
  DeskterityErrorClass,
  FailureDetails,
  GetInput,
  Node,
  OpenOptions,
  OpenPrivateOptions,
  PropertyAnswer,
  PropertyInput,
  PropertyValues,
  Receipt,
  Ref,
  Snapshot,
  SnapshotHelpers,
  SnapshotSinceInput,
  TreeStats,
  UsableNode,
  WindowChanges,
} from '../../../src/surfaces/library/index.ts';

/** Never called: what is wrong in here must be refused by the compiler (`npm run typecheck`), line by line. */
export async function refused(desktop: Desktop, node: Node): Promise<void> {
  // @ts-expect-error no such method
  await desktop.clik('@e1');
  // @ts-expect-error names of the wire
  await desktop.snapshot({ interactive_only: true });
  // @ts-expect-error misspelt
  await desktop.snapshot({ interactiveOnyl: true });
  // @ts-expect-error not a reference
  await desktop.click('Save');
  // @ts-expect-error a node may have no reference
  await desktop.click(node.ref);
  // @ts-expect-error one value is missing
  await desktop.setValue('@e1');
  // @ts-expect-error there is no such property
  await desktop.get('colour', '@e1');
  // @ts-expect-error given twice
  await desktop.click('@e1', { ref: '@e2' });
  const receipt = await desktop.click('@e1');
  // @ts-expect-error answers are camelCase
  await desktop.wait(Number(receipt.retry_safe));
  // @ts-expect-error a Desktop is opened, not made
  await new Desktop().close();
}

describe('types', () => {
  it('of methods', () => {
    expectTypeOf<Desktop['click']>().toBeCallableWith('@e1', {
      timeoutMs: 5,
      signal: new AbortController().signal,
    });
    expectTypeOf<Desktop['click']>().toBeCallableWith({ ref: '@e1' });
    expectTypeOf<Desktop['get']>().toBeCallableWith('title', { app: 'KCalc' });
    expectTypeOf<Desktop['find']>().toBeCallableWith('Save', { role: 'button' });
    expectTypeOf<Awaited<ReturnType<Desktop['click']>>>().toExtend<Receipt & { privateDesktop?: string }>();
    expectTypeOf<Desktop>().toExtend<AsyncDisposable>();
  });

  it('of properties', () => {
    const typed = (desktop: Desktop) => ({
      value: desktop.get('value', '@e1', { timeoutMs: 5 }),
      stats: desktop.get('tree-stats', { app: 'KCalc' }),
      bounds: desktop.get({ property: 'bounds', ref: '@e1' }),
    });
    type Typed = { [K in keyof ReturnType<typeof typed>]: Awaited<ReturnType<typeof typed>[K]> };
    expectTypeOf<Typed['value']>().toEqualTypeOf<PropertyAnswer<'value'>>();
    expectTypeOf<Typed['value']['value']>().toEqualTypeOf<string | null>();
    expectTypeOf<Typed['stats']['value']>().toEqualTypeOf<TreeStats>();
    expectTypeOf<TreeStats['maxDepth']>().toBeNumber();
    expectTypeOf<Typed['bounds']['value']>().toEqualTypeOf<PropertyValues['bounds']>();
    expectTypeOf<PropertyInput<keyof PropertyValues>['property']>().toEqualTypeOf<GetInput['property']>();
  });

  it('of snapshots', () => {
    const typed = (desktop: Desktop) => ({
      plain: desktop.snapshot({ app: 'KCalc' }),
      since: desktop.snapshot({ since: 'c1' }),
    });
    expectTypeOf<Awaited<ReturnType<typeof typed>['plain']>>().toEqualTypeOf<Snapshot>();
    expectTypeOf<Awaited<ReturnType<typeof typed>['since']>>().toEqualTypeOf<Snapshot | WindowChanges>();
    expectTypeOf<Snapshot['tree']>().toEqualTypeOf<Node>();
    expectTypeOf<ReturnType<Snapshot['find']>['ref']>().toExtend<Ref>();
  });

  it('can be named by wrappers of the library', () => {
    expectTypeOf<Parameters<typeof Desktop.open>[0]>().toEqualTypeOf<OpenOptions | undefined>();
    expectTypeOf<Parameters<typeof Desktop.openPrivate>[0]>().toEqualTypeOf<OpenPrivateOptions | undefined>();
    expectTypeOf<{ since: string }>().toExtend<SnapshotSinceInput>();
    expectTypeOf<Snapshot>().toExtend<SnapshotHelpers>();
    expectTypeOf<UsableNode>().toExtend<Node>();
    expectTypeOf<ConstructorParameters<DeskterityErrorClass>[2]>().toEqualTypeOf<FailureDetails>();
  });

  it('of failures', () => {
    expectTypeOf<'STALE_REF'>().toExtend<DeskterityError['code']>();
    expectTypeOf<Extract<string, DeskterityError['code']>>().toBeNever();
  });
});
