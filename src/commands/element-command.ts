import { z } from 'zod';
import { Receipt } from '../model/effects/effect.ts';
import type { Guarantees } from '../model/effects/guarantees.ts';
import {
  actTarget,
  defineCommand,
  outlineReceipt,
  pointerGesture,
  semanticAct,
  timeout,
} from '../registry/define.ts';
import type { CommandFacts } from '../registry/define.ts';

/** An element, and the means an act on it may use. */
export const ElementInput = z.object({ ...actTarget, timeout_ms: timeout(10_000) });

type Facts = Omit<
  CommandFacts<typeof ElementInput, typeof Receipt>,
  'input' | 'positionals' | 'output' | 'outline'
>;

/** A command that acts on one element and takes no other input. */
export function elementCommand(
  facts: Facts & { readonly kind: 'act' | 'input'; readonly guarantee: Guarantees },
) {
  return defineCommand({
    ...facts,
    input: ElementInput,
    positionals: ['ref'],
    output: Receipt,
    outline: outlineReceipt,
  });
}

type ActFacts<N> = Omit<Facts, 'group' | 'needs' | 'run' | 'name'> & {
  readonly name: N;
  readonly guarantee: Guarantees;
};

/** An element command that says what the element should become or do, by its name. */
export function semanticCommand(facts: ActFacts<Parameters<typeof semanticAct>[1]>) {
  return elementCommand({
    ...facts,
    group: 'interaction',
    kind: 'act',
    needs: ['tree'],
    run: (ctx, given) => semanticAct(ctx, facts.name, given),
  });
}

/** An element command that only the pointer can perform, by its name. */
export function gestureCommand(facts: ActFacts<Parameters<typeof pointerGesture>[1]>) {
  return elementCommand({
    ...facts,
    group: 'input',
    kind: 'input',
    toolsets: ['input'],
    needs: ['tree', 'input'],
    run: (ctx, given) => pointerGesture(ctx, facts.name, given),
  });
}
