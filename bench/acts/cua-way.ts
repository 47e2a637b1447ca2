import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import type { ActCase } from './cases.ts';
import { installedCua } from './cua-install.ts';
import { ActRefused, type ActWindow, type Place, type Timed, type Way } from './way.ts';

const LIMIT_MS = 20_000;
/** Without a limit it reads every cell of an empty sheet. */
const MOST_ELEMENTS = 1500;

/** Its frames may be relative to the window or its frame. */
const NEAR_PIXELS = 60;

/** Nothing leaves this machine: reports are off, and what still tried to send would meet a closed port. */
const SILENT = {
  CUA_TELEMETRY_ENABLED: '0',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  ALL_PROXY: 'http://127.0.0.1:9',
};

const Reply = z.object({
  id: z.number(),
  ms: z.number().optional(),
  error: z.string().optional(),
  result: z
    .object({
      isError: z.boolean(),
      text: z.string(),
      structured: z.record(z.string(), z.unknown()).nullable(),
    })
    .optional(),
});
type Reply = z.output<typeof Reply>;

const State = z.object({
  elements: z.array(
    z.object({
      role: z.string(),
      label: z.string().nullish(),
      element_token: z.string(),
      frame: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }).nullish(),
    }),
  ),
});
const Action = z.object({ effect: z.string(), route: z.string().nullish() }).partial().loose();

/** How it calls the roles, as far as the acts need them: libatspi's words, in one writing or another. */
const ROLES: Readonly<Record<string, RegExp>> = {
  button: /button/i,
  togglebutton: /toggle|button/i,
  checkbox: /check/i,
  textbox: /text|entry|edit/i,
  combobox: /combo/i,
  cell: /cell/i,
};

/** `@trycua/cua-driver` in a process of its own, called directly, as its documentation shows. */
export class CuaWay implements Way {
  readonly name = 'cua-driver';
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private lastId = 0;
  private elements: z.output<typeof State>['elements'] = [];
  private readonly places = new Map<ActCase, Place>();

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.child = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const reply = Reply.parse(JSON.parse(line));
      this.waiting.get(reply.id)?.(reply);
      this.waiting.delete(reply.id);
    });
  }

  /** @throws if it cannot be installed or started */
  static async start(environment: Readonly<Record<string, string>>): Promise<CuaWay> {
    const folder = await installedCua();
    const child = spawn(process.execPath, ['bench/peers/cua_driver.mjs', folder], {
      env: { PATH: process.env['PATH'], ...environment, ...SILENT },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const way = new CuaWay(child);
    // Its drawn pointer would glide to each element first.
    await way.call('set_agent_cursor_enabled', { enabled: false });
    return way;
  }

  /** Its tokens are valid until its next reading, so that one reading serves all acts in a window. */
  async prepare(one: ActCase, window: ActWindow): Promise<void> {
    if (one.path !== undefined) return;
    this.places.set(one, await window.placeOf(one));
    if (this.tokenOf(one) === undefined) await this.read(window);
    if (this.tokenOf(one) === undefined)
      throw new ActRefused(`it lists no ${one.roles.join(' or ')} ${one.name}`);
  }

  /** Reads the window, without a picture. */
  async read({
    pid,
    xid,
  }: Pick<ActWindow, 'pid' | 'xid'>): Promise<{ readonly ms: number; readonly text: string }> {
    const args = { pid, window_id: xid, include_screenshot: false, max_elements: MOST_ELEMENTS };
    const { ms, text, structured } = await this.call('get_window_state', args);
    this.elements = State.parse(structured).elements;
    return { ms, text: `${text}\n${JSON.stringify(structured)}` };
  }

  async act(one: ActCase, value: string, window: ActWindow): Promise<Timed> {
    const { pid, xid } = window;
    const token = this.tokenOf(one);
    const args = { pid, window_id: xid, ...(one.path === undefined ? { element_token: token } : {}) };
    switch (one.act) {
      case 'press':
      case 'toggle':
        return this.timed('click', args);
      case 'set-value':
      case 'select':
        return this.timed('set_value', { ...args, value });
      case 'type 20 characters':
        // In the background it refuses, and asks for this.
        return this.timed('type_text', { ...args, text: value, delivery_mode: 'foreground' });
      default:
        return this.timed('invoke_menu', { ...args, path: one.path });
    }
  }

  async close(): Promise<void> {
    const { child } = this;
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) {
      const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS / 2);
      await once(child, 'exit');
      clearTimeout(limit);
    }
  }

  private async timed(tool: string, args: Readonly<Record<string, unknown>>): Promise<Timed> {
    const { ms, structured } = await this.call(tool, args);
    const { effect, route } = Action.parse(structured ?? {});
    return { ms, claim: effect ?? 'none', ...(route ? { via: route } : {}) };
  }

  /** By its name, else the one in its place: many fields have no name of their own in its list. */
  private tokenOf(one: ActCase): string | undefined {
    const { name, roles } = one;
    const able = this.elements.filter(({ role }) =>
      roles.some((wanted) => ROLES[wanted]?.test(role) === true),
    );
    const named = able.find(({ label }) => label === name);
    const distanceOf = ({ frame }: (typeof able)[number]): number =>
      frame ? distance(frame, this.places.get(one)) : Number.POSITIVE_INFINITY;
    const nearest = able.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0];
    const there = nearest !== undefined && distanceOf(nearest) <= NEAR_PIXELS ? nearest : undefined;
    return (named ?? there)?.element_token;
  }

  private async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<{
    readonly ms: number;
    readonly text: string;
    readonly structured: Record<string, unknown> | null;
  }> {
    this.lastId += 1;
    const id = this.lastId;
    const reply = await new Promise<Reply>((resolve, reject) => {
      const limit = setTimeout(() => reject(new ActRefused(`${tool} did not answer`)), LIMIT_MS);
      this.waiting.set(id, (received) => {
        clearTimeout(limit);
        resolve(received);
      });
      this.child.stdin.write(`${JSON.stringify({ id, tool, args })}\n`);
    });
    if (reply.result === undefined || reply.ms === undefined) throw new ActRefused(`${tool}: ${reply.error}`);
    if (reply.result.isError) throw new ActRefused(`${tool}: ${reply.result.text.slice(0, 200)}`);
    return { ms: reply.ms, text: reply.result.text, structured: reply.result.structured };
  }
}

/** Between two corners; infinite without a place. */
function distance(frame: { readonly x: number; readonly y: number }, place: Place | undefined): number {
  if (place === undefined) return Number.POSITIVE_INFINITY;
  return Math.hypot(frame.x - place.bounds.x, frame.y - place.bounds.y);
}
