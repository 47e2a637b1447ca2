import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { DryRunReport } from '../../src/model/effects/dry-run.ts';
import { usePlace } from './harness.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';
import { useClients } from './support/mcp-client.ts';

const place = usePlace();
const connect = useClients(place);
const KINDS = ['gtk3', 'qt5'] as const;
const form = useFixtures(place, KINDS);

/** The application's button, called as one that loses something. */
async function dangerous(bench: Bench): Promise<string> {
  await bench.set('press', 'label', 'Delete all');
  return `app:${bench.app} >> role:button[name="Delete all"]`;
}

describe.each(KINDS)('with %s', (kind) => {
  it.each<[string, ElicitResult, number]>([
    ['pressed after consent', { action: 'accept', content: { confirm: true } }, 1],
    ['not pressed if the person declines', { action: 'decline' }, 0],
    ['not pressed without an answer', { action: 'cancel' }, 0],
  ])('a button that loses something is %s', async (_, answer, presses) => {
    const bench = form(kind);
    const ref = await dangerous(bench);
    const desk = await connect({ era: 'legacy', way: 'stdio', capabilities: { elicitation: { form: {} } } });
    const pressedWhenAsked: number[] = [];
    desk.client.setRequestHandler('elicitation/create', async () => {
      pressedWhenAsked.push((await bench.fixture.events()).filter(({ event }) => event === 'clicked').length);
      return answer;
    });
    const before = (await bench.fixture.events()).filter(({ event }) => event === 'clicked').length;
    const { events } = await bench.recording(() => desk.call('desktop_click', { ref }));
    expect(pressedWhenAsked).toEqual([before]);
    expect(events.filter(({ event }) => event === 'clicked')).toHaveLength(presses);
  });

  it('where consent is required and nobody can be asked, neither a click, nor its place, nor Enter presses it', async () => {
    const bench = form(kind);
    const ref = await dangerous(bench);
    const required = { DESKTERITY_CONFIRM_DESTRUCTIVE: 'require' };
    await bench.desk('focus', ref);
    const bounds = (await bench.desk('get', 'bounds', ref, '--format', 'text')).stdout.match(/\d+/g) ?? [];
    const [x = 0, y = 0, width = 0, height = 0] = bounds.map(Number);
    const middle = [String(Math.round(x + width / 2)), String(Math.round(y + height / 2))];
    const tries = [
      ['click', ref],
      ['click', ref, '--mode', 'pointer'],
      ['mouse', 'click', ...middle],
      ['press', 'Enter', '--app', bench.app],
      ['press', 'space', '--ref', ref],
      ['do', `click '${ref}'`],
    ];
    const { events } = await bench.recording(async () => {
      for (const one of tries) {
        const reply = await place().desk(one, required);
        expect(reply.toString()).toContain('CONFIRMATION_REQUIRED');
      }
    });
    expect(events.filter(({ event }) => event === 'clicked')).toEqual([]);
  });

  it('a dry run of everything that can be done to it leaves its log empty', async () => {
    const bench = form(kind);
    await bench.set('press', 'label', 'Press');
    const at = (locator: string): string => `app:${bench.app} >> ${locator}`;
    const [button, name] = [at('role:button[name="Press"]'), at('role:textbox[name="Name"]')];
    const acts: readonly string[][] = [
      ['click', button],
      ['click', button, '--mode', 'pointer'],
      ['double-click', button],
      ['right-click', button],
      ['set-value', name, 'Ada'],
      ['type', name, 'Ada'],
      ['clear', name],
      ['toggle', at('role:checkbox[name="Agree"]')],
      ['select', at('role:combobox[name="Colour"]'), 'green'],
      ['fill', name, 'Ada', '--app', bench.app],
      ['do', 'press Enter', '--app', bench.app],
      ['press', 'ctrl+a', '--app', bench.app],
      ['scroll', 'down', '--app', bench.app],
      ['mouse', 'click', '20', '20'],
      ['minimize', '--app', bench.app],
      ['close-window', '--app', bench.app],
      ['close-app', bench.app, '--force'],
    ];
    const { events } = await bench.recording(async () => {
      for (const act of acts) (await bench.desk(...act, '--dry-run')).ok(DryRunReport);
    });
    expect(events).toEqual([]);
    expect(await bench.fixture.events()).not.toEqual([]);
  });
});
