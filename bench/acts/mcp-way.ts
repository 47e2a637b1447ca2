import { z } from 'zod';
import { PipeAsker } from '../support/mcp-lines.ts';
import type { User } from '../support/program.ts';
import type { ActCase, ActName } from './cases.ts';
import { ActRefused, type ActWindow, type Place, type Timed, type Way } from './way.ts';

const Answer = z.object({
  isError: z.boolean().optional(),
  content: z.unknown(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});
const Receipt = z.object({ effect: z.string(), via: z.string() });
const Matches = z.object({
  matches: z.array(
    z.object({
      ref: z.string().optional(),
      role: z.string(),
      bounds: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
    }),
  ),
});
const Windows = z.object({ windows: z.array(z.object({ id: z.string(), pid: z.number() })) });
const Text = z.object({ value: z.string().nullable() });

const TOOLS: Readonly<Record<ActName, string>> = {
  press: 'desktop_click',
  toggle: 'desktop_toggle',
  'set-value': 'desktop_set_value',
  select: 'desktop_select',
  'type 20 characters': 'desktop_type_text',
  menu: 'desktop_menu',
};

/** `desk mcp` on a daemon that is already running: the whole call, from the request to its answer. */
export class McpWay implements Way {
  readonly name = 'deskterity';
  /** What another tool did less than 1.1 s ago looks like a clock to us, which a driver that acts alone does not meet (ADR 0031). */
  readonly quietBeforeMs = 1200;
  /** What another tool does less than 1.1 s afterwards looks like a clock that our act started. */
  readonly quietAfterMs = 1500;
  private readonly asker: PipeAsker;
  private readonly refs = new Map<string, string>();

  private constructor(asker: PipeAsker) {
    this.asker = asker;
  }

  static async start(user: User): Promise<McpWay> {
    const asker = PipeAsker.start(user, 'legacy', ['--toolsets', 'all', '--structured', 'always']);
    await asker.greet();
    return new McpWay(asker);
  }

  async prepare(one: ActCase, window: ActWindow): Promise<void> {
    if (one.path === undefined) this.refs.set(key(one), (await window.placeOf(one)).ref);
  }

  async act(one: ActCase, value: string, { pid }: ActWindow): Promise<Timed> {
    const ref = this.refs.get(key(one)) ?? '';
    const began = performance.now();
    const answer = await this.ask(TOOLS[one.act], inputOf(one, ref, value, pid));
    const ms = performance.now() - began;
    const { effect, via } = Receipt.parse(answer);
    return { ms, claim: effect, via };
  }

  /** @throws ActRefused if the tool fails */
  async ask(tool: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const answer = Answer.parse(await this.asker.request('tools/call', { name: tool, arguments: input }));
    if (answer.isError === true || answer.structuredContent === undefined)
      throw new ActRefused(`${tool}: ${JSON.stringify(answer.content).slice(0, 300)}`);
    return answer.structuredContent;
  }

  /** The one element with this name and one of these roles. */
  async placeOf({ name, roles }: Pick<ActCase, 'name' | 'roles'>, pid: number): Promise<Place> {
    const input = { app: String(pid), query: name, by: 'exact', limit: 20 };
    const { matches } = Matches.parse(await this.ask('desktop_find', input));
    const found = matches.find(({ role }) => roles.some((wanted) => wanted === role));
    if (found?.ref === undefined || found.bounds === undefined)
      throw new ActRefused(`no ${roles.join(' or ')} ${JSON.stringify(name)} with a place on the screen`);
    return { ref: found.ref, bounds: found.bounds };
  }

  async windowOf(pid: number): Promise<number> {
    const { windows } = Windows.parse(await this.ask('desktop_list_windows', {}));
    return Number(windows.find((window) => window.pid === pid)?.id.replace('x11:', '') ?? Number.NaN);
  }

  async textOf(ref: string): Promise<string> {
    return Text.parse(await this.ask('desktop_get', { property: 'text', ref })).value ?? '';
  }

  close(): Promise<void> {
    return this.asker.close();
  }
}

function key({ act, name }: ActCase): string {
  return `${act} ${name}`;
}

function inputOf(one: ActCase, ref: string, value: string, pid: number): Readonly<Record<string, unknown>> {
  switch (one.act) {
    case 'press':
    case 'toggle':
      return { ref };
    case 'set-value':
    case 'select':
      return { ref, value };
    case 'type 20 characters':
      return { ref, text: value };
    default:
      return { path: (one.path ?? []).join(' > '), app: String(pid) };
  }
}
