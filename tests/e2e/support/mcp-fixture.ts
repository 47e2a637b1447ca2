import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ControlClient } from '../../../fixtures/control-client.ts';
import { fixturesFolder } from '../../../fixtures/folder.ts';
import type { FixtureKind } from '../../../fixtures/widgets.ts';
import type { Place } from '../harness.ts';
import type { McpDesk } from './mcp-client.ts';

const DEADLINE_MS = 20_000;
const Launched = z.looseObject({
  pid: z.int(),
  window: z.looseObject({ title: z.string(), ref: z.string() }),
});
const Event = z.looseObject({ widget: z.string(), event: z.string(), value: z.unknown() });
type Event = z.output<typeof Event>;

/** A fixture that a client has opened with `desktop_launch_app`, and the application's own record. */
export interface LaunchedFixture {
  readonly pid: number;
  readonly title: string;
  control(op: string, fields?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** The events recorded so far, without those caused by the control socket. */
  events(): Promise<readonly Event[]>;
  /** How often a button was pressed, as counted by its application. */
  presses(widget: string): Promise<number>;
}

export async function launchFixture(
  place: Place,
  desk: McpDesk,
  kind: FixtureKind,
  title: string,
): Promise<LaunchedFixture> {
  const folder = await mkdtemp(join(place.folder, `${kind}-`));
  const [log, socket] = [join(folder, 'events.jsonl'), join(folder, 'control')];
  const app = join(fixturesFolder(), 'apps', kind, 'app.py');
  const { pid, window } = await desk.data(Launched, 'desktop_launch_app', {
    app: '/usr/bin/python3',
    args: [app, '--log', log, '--control', socket, '--title', title],
    wait: true,
    timeout_ms: DEADLINE_MS,
  });
  if (window.title !== title) throw new Error(`launched ${title}, but the answer names ${window.title}`);
  const control = await ControlClient.connect(socket, DEADLINE_MS);
  const events = async () => {
    const lines = (await readFile(log, 'utf8')).split('\n').slice(0, -1);
    return lines
      .map((line) => Event.parse(JSON.parse(line)))
      .filter((event) => event['source'] === undefined);
  };
  return {
    pid,
    title,
    control: (op, fields = {}) => control.request(op, fields, DEADLINE_MS),
    events,
    presses: async (widget) =>
      (await events()).filter((event) => event.widget === widget && event.event === 'clicked').length,
  };
}
