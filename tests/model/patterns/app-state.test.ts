import { describe, expect, it } from 'vitest';
import { appStateOf } from '../../../src/model/patterns/app-state.ts';
import { detectPatterns } from '../../../src/model/patterns/detect-patterns.ts';
import type { OutputNode } from '../../../src/model/tree/node.ts';
import { corpus } from './corpus.ts';

const stateOf = (root: OutputNode, isBusy = false) => appStateOf(root, detectPatterns(root), isBusy);

describe('the state of an application', () => {
  const labelled = corpus('held_out').filter(({ state }) => state !== undefined);

  it('is the labelled one on at least 95 % of the screens that were held out', () => {
    const wrong = labelled.filter(
      ({ tree, title, state }) => appStateOf(tree, detectPatterns(tree, title), false) !== state,
    );
    const share = wrong.length / labelled.length;
    expect(share, `wrong: ${wrong.map(({ id }) => id).join(' ')}`).toBeLessThanOrEqual(0.05);
  });

  it('is busy if the application did not answer, whatever was read', () => {
    expect(stateOf({ role: 'window', name: 'Editor' }, true)).toBe('busy');
  });

  it('is a dialog if nothing else of its window is shown, as with questions of pages in Chromium', () => {
    const ask: OutputNode = {
      role: 'dialog',
      name: 'example.org says',
      children: [
        { role: 'text', name: 'Hi' },
        { role: 'button', name: 'OK' },
      ],
    };
    expect(stateOf({ role: 'window', name: 'Page', children: [ask] })).toBe('modal_dialog');
    const beside: OutputNode = { role: 'document', name: 'Page' };
    expect(stateOf({ role: 'window', name: 'Page', children: [beside, ask] })).toBe('idle');
  });

  it('is an error if a status bar says so, but not if it counts none', () => {
    const withStatus = (name: string): OutputNode => ({
      role: 'window',
      children: [{ role: 'status', name }],
    });
    expect(stateOf(withStatus('Build failed'))).toBe('error');
    expect(stateOf(withStatus('0 errors, 0 warnings'))).toBe('idle');
    expect(stateOf(withStatus('Ready'))).toBe('idle');
  });
});
