import type { z } from 'zod';
import { WindowReceipt } from '../../model/effects/effect.ts';
import { byDisplay } from '../../model/effects/guarantees.ts';
import { defineCommand, outlineReceipt } from '../../registry/define.ts';
import type { CommandFacts } from '../../registry/define.ts';

/** A command that changes a window through the display. */
export function windowCommand<I extends z.ZodObject>(
  definition: Omit<
    CommandFacts<I, typeof WindowReceipt>,
    'group' | 'toolsets' | 'needs' | 'output' | 'outline'
  >,
) {
  return defineCommand({
    ...definition,
    group: 'windows',
    kind: 'act',
    guarantee: byDisplay('windows', 'fresh reads of the display that agree for the settle time'),
    toolsets: ['windows'],
    needs: ['windows'],
    output: WindowReceipt,
    outline: outlineReceipt,
  });
}
