/**
 * What MCP costs: a tool call compared with the same command in process, the tokens of the tool lists, many clients at once, and the time to start a
 * server. The clients here write JSON lines themselves, so that no client library is measured.
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { startFixture } from '../fixtures/driver.ts';
import type { Figure, Report, Say } from './support/figures.ts';
import { callFigures } from './support/mcp-calls.ts';
import { crowdFigures } from './support/mcp-crowd.ts';
import { PipeAsker } from './support/mcp-lines.ts';
import { startFigures } from './support/mcp-starts.ts';
import { Program, type User } from './support/program.ts';
import { Stage } from './support/stage.ts';

const MOST_CORE_TOKENS = 4000;
const MOST_CORE_TOOLS = 25;
const CALLS = { deadlineMs: 20_000 } as const;

const LISTS: readonly (readonly [string, readonly string[]])[] = [
  ['core', []],
  ['core, --text-only', ['--text-only']],
  ['core, --read-only', ['--read-only']],
  ['all', ['--toolsets', 'all']],
  ['all, --text-only', ['--toolsets', 'all', '--text-only']],
  ['inspect', ['--toolsets', 'inspect']],
];

/** `only` selects from calls, tokens, clients and starts. */
export async function run({
  say,
  only = /./,
}: {
  readonly say: Say;
  readonly only?: RegExp | undefined;
}): Promise<Report> {
  const stage = await Stage.start(say);
  try {
    say('building');
    return await measure(stage, await Program.build(), { say, only });
  } finally {
    await stage.stop();
  }
}

async function measure(
  stage: Stage,
  program: Program,
  { say, only }: { readonly say: Say; readonly only: RegExp },
): Promise<Report> {
  const parts: readonly (readonly [string, (user: User, say: Say) => Promise<Figure[]>])[] = [
    ['starts', startFigures],
    ['calls', callFigures],
    ['tokens', tokenFigures],
    ['clients', crowdFigures],
  ];
  try {
    const { environment } = stage.desktop;
    const fixture = await startFixture('gtk3', { environment, ...CALLS });
    try {
      const figures: Figure[] = [];
      for (const [name, part] of parts) {
        if (!only.test(name)) continue;
        const user = await program.user(name, environment);
        try {
          figures.push(...(await part(user, say)));
        } finally {
          await user.stop();
        }
      }
      return { name: 'mcp', figures };
    } finally {
      await fixture.stop();
    }
  } finally {
    await program.remove();
  }
}

async function tokenFigures(user: User, say: Say): Promise<Figure[]> {
  say('tool lists');
  const figures: Figure[] = [];
  for (const [name, args] of LISTS) {
    const asker = PipeAsker.start(user, 'legacy', args);
    try {
      await asker.greet();
      figures.push(...listFigures(name, await asker.listTools()));
    } finally {
      await asker.close();
    }
  }
  return figures;
}

/** Figures of one answer to `tools/list`. */
export function listFigures(
  name: string,
  { count, text }: { readonly count: number; readonly text: string },
): Figure[] {
  const isCore = name === 'core';
  const tokens = encode(text).length;
  const figure = (what: string, value: number, unit: string, most: number): Figure => ({
    what: `${what}, ${name}`,
    value,
    unit,
    ...(isCore ? { goal: `<= ${most}`, met: value <= most } : {}),
  });
  return [
    {
      ...figure('tools/list', tokens, 'tokens', MOST_CORE_TOKENS),
      note: `o200k; ${count} tools, ${text.length} characters`,
    },
    ...(isCore ? [figure('tools', count, 'tools', MOST_CORE_TOOLS)] : []),
  ];
}
