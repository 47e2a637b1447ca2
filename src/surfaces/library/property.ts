import type { Answer, Bounds, CallOptions, GetInput, GetOutput, Role, State } from './commands.generated.ts';

/** What `get` answers for each property. */
export interface PropertyValues {
  readonly text: string;
  /** `null` where the element has none. */
  readonly value: string | null;
  /** In physical screen pixels; `null` where the element has none. */
  readonly bounds: Bounds | null;
  readonly role: Role;
  readonly states: readonly State[];
  /** Names and values are those of the toolkit. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly 'tree-stats': TreeStats;
}

/** How large a window's tree is. */
export type TreeStats = Extract<GetOutput['value'], { readonly byRole: unknown }>;

/** The answer to one question. */
export type PropertyAnswer<P extends keyof PropertyValues> = Answer<
  Omit<GetOutput, 'property' | 'value'> & { readonly property: P; readonly value: PropertyValues[P] }
>;

/** What `get` takes for one property. */
export type PropertyInput<P extends keyof PropertyValues> = Omit<GetInput, 'property'> &
  CallOptions & { readonly property: P };
