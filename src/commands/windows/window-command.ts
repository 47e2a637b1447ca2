import { z } from 'zod';
import { WindowReceipt } from '../../model/effects/effect.ts';
import { byDisplay } from '../../model/effects/guarantees.ts';
import {
  controlWindow,
  defineCommand,
  outlineReceipt,
  pageOfReceipt,
  windowTarget,
} from '../../registry/define.ts';
import type { CommandFacts } from '../../registry/define.ts';

type Facts<I extends z.ZodObject> = Omit<
  CommandFacts<I, typeof WindowReceipt>,
  'group' | 'toolsets' | 'needs' | 'output' | 'outline' | 'page'
>;

/** A command that changes a window through the display. */
export function windowCommand<I extends z.ZodObject>(facts: Facts<I>) {
  return defineCommand({
    ...facts,
    group: 'windows',
    kind: 'act',
    guarantee: byDisplay('windows', 'reads of the display that agree for the settling time'),
    toolsets: ['windows'],
    needs: ['windows'],
    output: WindowReceipt,
    outline: outlineReceipt,
    page: pageOfReceipt,
  });
}

const input = z.object(windowTarget);

/** A window command that needs no input but the window; its name is the requested state. */
export function windowStateCommand(
  facts: Omit<Facts<typeof input>, 'name' | 'idempotent' | 'input' | 'run'> & {
    readonly name: 'maximize' | 'minimize' | 'restore';
  },
) {
  return windowCommand({
    ...facts,
    idempotent: true,
    input,
    run: (ctx, given) => controlWindow(ctx, { kind: facts.name }, given),
  });
}
