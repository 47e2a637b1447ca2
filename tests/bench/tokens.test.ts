import { describe, expect, it } from 'vitest';
import * as formats from '../../bench/peer-formats.ts';
import { fromRaw, type PeerNode } from '../../bench/peer-node.ts';
import * as pruning from '../../bench/peer-pruning.ts';
import { run } from '../../bench/tokens.ts';
import { raw } from '../model/raw-tree.ts';

function node(fields: Partial<PeerNode>, children: PeerNode[] = []): PeerNode {
  return {
    role: 'button',
    nativeRole: 'push button',
    name: '',
    value: '',
    description: '',
    states: [],
    actions: [],
    ref: undefined,
    ...fields,
    children,
  };
}

describe('peer formats, as their samples show them', () => {
  const button = node({ name: 'Sign In', ref: 6 });
  const field = node({ role: 'textbox', name: 'File name', value: 'untitled', ref: 8, states: ['focused'] });

  it.each([
    [
      'agent-desktop',
      formats.agentDesktop,
      button,
      '{"ref_id":"@s8f3k2p9:e6","role":"button","name":"Sign In"}',
    ],
    ['agent-browser guide', formats.agentBrowserGuide, button, '@e6 [button] "Sign In"'],
    ['agent-browser', formats.agentBrowser, button, '- button "Sign In" [ref=e6]'],
    ['agent-browser value', formats.agentBrowser, field, '- textbox "File name" [focused, ref=e8]: untitled'],
    ['Playwright', formats.playwright, field, '- textbox "File name" [active] [ref=e8]: untitled'],
    [
      'cua-driver',
      formats.cuaDriver,
      node({ name: 'OK', ref: 12, actions: ['press'] }),
      '- [12] push button "OK" [actions=[press]]',
    ],
    ['strands-xa11y', formats.strandsXa11y, field, 'e8 text_field "File name" value="untitled" [focused]'],
    ['agent-device', formats.agentDevice, field, '@e8 [text-field] "untitled" [focused]'],
  ])('%s', (_name, format, tree, text) => {
    expect(format(tree)).toBe(`${text}\n`);
  });

  it('Playwright puts a sole text behind the colon and others on lines of their own', () => {
    const text = (name: string): PeerNode => node({ role: 'text', name });
    expect(formats.playwright(node({ role: 'paragraph', ref: 1 }, [text('Hello there')]))).toBe(
      '- paragraph [ref=e1]: Hello there\n',
    );
    expect(formats.playwright(node({ role: 'listitem', ref: 1 }, [text('a: b'), button]))).toBe(
      '- listitem [ref=e1]:\n  - text: "a: b"\n  - button "Sign In" [ref=e6]\n',
    );
  });
});

describe('peer pruning', () => {
  const tree = fromRaw(
    raw('window', 'W', {}, [
      raw('group', '', {}, [raw('button', 'OK', {}, [raw('text', 'OK')])]),
      raw('group', '', {}, [raw('text', 'Hello'), raw('image')]),
      raw('button', 'Off', { states: ['offscreen'] }),
    ]),
  );

  it.each([
    [
      'agent-desktop -i',
      formats.agentDesktopShortRefs,
      pruning.agentDesktopPruning(true),
      '{"role":"window","name":"W","children":[{"ref_id":"@e1","role":"button","name":"OK"}]}\n',
    ],
    [
      'agent-browser -i',
      formats.agentBrowser,
      pruning.agentBrowserPruning(true),
      '- window "W"\n  - button "OK" [ref=e1]\n',
    ],
    [
      'Playwright',
      formats.playwright,
      pruning.playwrightPruning,
      '- window "W" [ref=e1]:\n  - button "OK" [ref=e2]\n  - generic [ref=e3]: Hello\n',
    ],
    [
      'strands-xa11y',
      formats.strandsXa11y,
      pruning.strandsXa11yPruning,
      'e1 window "W"\n  e2 group\n    e3 button "OK"\n      e4 static_text "OK"\n  e5 group\n    e6 static_text "Hello"\n',
    ],
    [
      'agent-device -i',
      formats.agentDevice,
      pruning.agentDevicePruning,
      '@e1 [window] "W"\n  @e2 [button] "OK"\n',
    ],
  ])('%s', (_name, format, prune, text) => {
    expect(format(prune(tree))).toBe(text);
  });
});

describe('bench tokens', () => {
  it('reports every goal, and meets on the hand-made windows those that are not times', async () => {
    const { name, figures } = await run({ json: true, corpus: 'tests/model/corpus' });
    expect(name).toBe('tokens');
    expect(figures.filter((figure) => figure.goal !== undefined).length).toBeGreaterThanOrEqual(12);
    expect(
      figures.filter((figure) => figure.met === false && figure.unit !== 'ms').map((figure) => figure.what),
    ).toStrictEqual([]);
  });
});
