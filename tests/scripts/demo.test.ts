import { describe, expect, it } from 'vitest';
import { page } from '../../scripts/demo/page.ts';
import { stringifyCommand } from '../../scripts/demo/shell-words.ts';
import { summary } from '../../scripts/demo/summary.ts';

describe('the command line shown for a step', () => {
  it.each([
    ['launch', { app: 'kcalc', wait: true }, 'desk launch kcalc --wait'],
    [
      'launch',
      { app: 'mousepad', wait: true, args: ['a b.txt'] },
      "desk launch mousepad --wait -- 'a b.txt'",
    ],
    ['find', { query: '×', app: 'kcalc', exact: true }, "desk find '×' --app kcalc --exact"],
    ['set-value', { ref: '@e3', value: "it's 42" }, String.raw`desk set-value @e3 'it'\''s 42'`],
    ['snapshot', { app: 'kcalc', max_depth: 2, compact: false }, 'desk snapshot --app kcalc --max-depth 2'],
  ])('%s %j', (command, input, expected) => {
    expect(stringifyCommand(command, input)).toBe(expected);
  });
});

describe('what the demo writes', () => {
  const story = {
    ok: false,
    version: '0.1.0',
    toolkits: ['Qt (5.15.8)'],
    totalMs: 5200,
    steps: [
      {
        what: 'Press | (button)',
        command: 'desk click @e1',
        effect: 'failed',
        evidence: ['a window called <script>alert("1")</script>'],
        screenshot: '01-press.png',
        milliseconds: 12,
      },
    ],
  };

  it('keeps text of applications from becoming markup', () => {
    const html = page(story);
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });

  it('says when it did not work, and embeds the pictures', () => {
    const text = summary(story);
    expect(text).toContain('did **not** work');
    expect(text).toContain('![Press | (button)](01-press.png)');
    expect(text).toContain(String.raw`| 1 | Press \| (button) | failed | 12 |`);
  });
});
