import { z } from 'zod';
import { Receipt } from '../../model/effects/effect.ts';
import { actTarget, defineCommand, outlineReceipt, semanticAct, timeout } from '../../registry/define.ts';

export default defineCommand({
  name: 'focus',
  group: 'interaction',
  kind: 'act',
  title: 'Give the focus',
  toolsets: ['input'],
  needs: ['tree'],
  idempotent: true,
  summary: 'Give an element the keyboard focus.',
  description:
    'No other act needs it, and this one may disturb whoever is at the desktop: GTK 3 and Chromium raise and activate the window with it. Qt obeys only in the active window, GTK 4 never: then a text field is clicked, and others are refused. ' +
    '"confirmed" means that a fresh read shows the focus there and the application said so.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Focus a field', input: { ref: '@e4' } },
    { about: 'Give a slow application more time', input: { ref: '@e4', timeout_ms: 30_000 } },
  ],
  outline: outlineReceipt,
  run: (ctx, input) => semanticAct(ctx, 'focus', input),
});
