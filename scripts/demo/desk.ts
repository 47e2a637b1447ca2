import { z } from 'zod';
import { openApp } from '../../src/app/open-app.ts';
import type { App } from '../../src/app/app.ts';
import { WindowSummary } from '../../src/model/refs/target.ts';
import { Bounds, type Bounds as BoundsType } from '../../src/model/tree/bounds.ts';
import { OutputNode } from '../../src/model/tree/node.ts';
import { Receipt } from '../../src/model/effects/effect.ts';
import { stringifyCommand } from './shell-words.ts';

const Windows = z.looseObject({ windows: z.array(WindowSummary) });

type Input = Readonly<Record<string, unknown>>;

/** A failed command, with the product's own message. */
class CommandFailed extends Error {}

export interface Found {
  readonly ref: string;
  readonly node: OutputNode;
}

/** The product as the demo uses it: the same commands that `desk` runs, in one session. */
export class Desk {
  readonly #app: App;

  constructor(environment: Readonly<Record<string, string>>, cwd: string, version: string) {
    this.#app = openApp({ environment, cwd, version });
  }

  /** Runs a command and returns its JSON answer. */
  async call(command: string, input: Input): Promise<Record<string, unknown>> {
    const rendered = await this.#app.execute('default', command, input, { format: 'json' });
    const answer = JSON.parse(rendered.stdout) as Record<string, unknown>;
    if (answer['ok'] !== true) throw new CommandFailed(explain(command, input, answer));
    return answer;
  }

  async parse<T extends z.ZodType>(command: string, input: Input, schema: T): Promise<z.output<T>> {
    return schema.parse(await this.call(command, input));
  }

  act(command: 'click' | 'set-value', input: Input): Promise<Receipt> {
    return this.parse(command, input, Receipt.loose());
  }

  async outline(input: Input): Promise<string> {
    const rendered = await this.#app.execute('default', 'snapshot', input, { format: 'outline' });
    if (rendered.exitCode !== 0) throw new CommandFailed(rendered.stderr.trim());
    return rendered.stdout.trimEnd();
  }

  /** The first element that matches. */
  async find(input: Input): Promise<Found> {
    const answer = await this.call('find', input);
    const [node] = OutputNode.array().parse(answer['matches']);
    if (node?.ref === undefined) {
      throw new CommandFailed(`${stringifyCommand('find', input)} found nothing: ${JSON.stringify(answer)}`);
    }
    return { ref: node.ref, node };
  }

  /** A property as a string; empty if the element has none. */
  async get(input: Input): Promise<string> {
    const { value } = await this.call('get', input);
    return typeof value === 'string' ? value : '';
  }

  /** Where an element is on the screen. */
  async boundsOf(ref: string): Promise<BoundsType | undefined> {
    const { value } = await this.call('get', { property: 'bounds', ref });
    return Bounds.safeParse(value).data;
  }

  /** The main window of an application: the largest. */
  async windowOf(app: string): Promise<BoundsType | undefined> {
    const { windows } = await this.parse('list-windows', { app }, Windows);
    const areas = windows.flatMap(({ bounds }) => (bounds === undefined ? [] : [bounds]));
    return areas.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
  }

  close(): Promise<void> {
    return this.#app.close();
  }
}

function explain(command: string, input: Input, answer: Record<string, unknown>): string {
  const error = answer['error'] as { code?: string; message?: string; suggestion?: string } | undefined;
  const line = `${stringifyCommand(command, input)}: ${error?.code ?? 'failed'}: ${error?.message ?? ''}`;
  return error?.suggestion === undefined ? line : `${line} ${error.suggestion}`;
}
