import type { Answer, Bounds, CallOptions, GetInput, GetOutput, Role, State } from './commands.generated.ts';

/** The answer of `get` for each property. */
export interface PropertyValues {
  readonly text: string;
  /** `null` if the element has none. */
  readonly value: string | null;
  /** In physical screen pixels; `null` if the element has none. */
  readonly bounds: Bounds | null;
  readonly role: Role;
  readonly states: readonly State[];
  /** Names and values come from the toolkit. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly 'tree-stats': TreeStats;
}

/** Statistics of a window's tree. */
export type TreeStats = Extract<GetOutput['value'], { readonly byRole: unknown }>;

/** The answer for one property. */
export type PropertyAnswer<P extends keyof PropertyValues> = Answer<
  Omit<GetOutput, 'property' | 'value'> & { readonly property: P; readonly value: PropertyValues[P] }
>;

/** The input of `get` for one property. */
export type PropertyInput<P extends keyof PropertyValues> = Omit<GetInput, 'property'> &
  CallOptions & { readonly property: P };
