import { z } from 'zod';
import { openApp } from '../../../../src/app/open-app.ts';
import type { App } from '../../../../src/app/app.ts';
import type { PrivateDesktop } from '../../../../src/platform/linux/private-desktop/private-desktop.ts';

const Envelope = z.looseObject({ ok: z.boolean() });
export type Answer = z.output<typeof Envelope>;

/** The product in this process, its connections kept from command to command as a daemon would. */
export class Desk {
  private readonly app: App;

  constructor(desktop: PrivateDesktop) {
    this.app = openApp({ environment: desktop.environment, cwd: '/', version: '0' });
  }

  async call(command: string, input: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const rendered = await this.app.execute('default', command, input, { format: 'json' });
    return Envelope.parse(JSON.parse(rendered.stdout));
  }

  async parse<T extends z.ZodType>(
    command: string,
    input: Readonly<Record<string, unknown>>,
    schema: T,
  ): Promise<z.output<T>> {
    const answer = await this.call(command, input);
    if (!answer.ok) throw new Error(`${command} failed: ${JSON.stringify(answer)}`);
    return schema.parse(answer);
  }

  /** The ref of the first element of a name. */
  async ref(app: number, query: string, role: string): Promise<string> {
    const Found = z.looseObject({ matches: z.array(z.looseObject({ ref: z.string() })).min(1) });
    const input = { app: String(app), query, role, by: 'exact', whole_tree: true };
    const [first] = (await this.parse('find', input, Found)).matches;
    return first?.ref ?? '';
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
