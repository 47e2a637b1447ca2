/** One step in a new process: the descriptor `from` becomes the descriptor `to`, or `close` is closed. */
export type DescriptorMove = { readonly from: number; readonly to: number } | { readonly close: number };

/**
 * How descriptors become the numbers from 1 on, in a process that can only do one after the other: a number that is set replaces what had it. What is needed
 * after its number is set is first put aside, above all that are used.
 */
export function descriptorMoves(descriptors: readonly number[]): readonly DescriptorMove[] {
  let spare = Math.max(descriptors.length, ...descriptors) + 1;
  const aside = new Map<number, number>();
  for (const [index, descriptor] of descriptors.entries())
    if (descriptor >= 1 && descriptor <= index && !aside.has(descriptor)) aside.set(descriptor, spare++);
  return [
    ...[...aside].map(([from, to]) => ({ from, to })),
    ...descriptors.map((descriptor, index) => ({ from: aside.get(descriptor) ?? descriptor, to: index + 1 })),
    ...[...aside.values()].map((number) => ({ close: number })),
  ];
}
