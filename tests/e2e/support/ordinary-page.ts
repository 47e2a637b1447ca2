import { afterAll, beforeAll } from 'vitest';
import type { Place } from '../harness.ts';
import { Found } from './answers.ts';
import type { Reply } from './reply.ts';
import { launchBrowser } from './subjects.ts';
import { until } from '../../until.ts';
import { serveOrdinaryPage, type PageEvent, type WebPage } from './web-page.ts';

/** An ordinary page in one browser, and the program that operates it. */
export class PageBench {
  private readonly place: Place;
  private readonly page: WebPage;
  private readonly pid: string;

  constructor(place: Place, page: WebPage, pid: number) {
    this.place = place;
    this.page = page;
    this.pid = String(pid);
  }

  desk(...args: string[]): Promise<Reply> {
    return this.place.desk(args);
  }

  async ref(name: string, role: string): Promise<string> {
    const reply = await this.desk('find', name, '--app', this.pid, '--role', role, '--exact');
    const [match, ...others] = reply.ok(Found).matches;
    if (match?.ref === undefined || others.length > 0)
      throw new Error(`not one ${role} ${JSON.stringify(name)}: ${JSON.stringify([match, ...others])}`);
    return match.ref;
  }

  /** Runs a command on the browser. */
  onApp(...args: string[]): Promise<Reply> {
    return this.desk(...args, '--app', this.pid);
  }

  /** Waits until the page has been told something of an element. Its reports overtake each other, so that the last one is not always the latest. */
  async told(widget: string, event: string, isIt: (value: unknown) => boolean): Promise<void> {
    const isTold = (one: PageEvent): boolean =>
      one.widget === widget && one.event === event && isIt(one.value);
    await until(async () => this.page.events.some(isTold), `${widget} to have ${event}`);
  }

  /** How often the page has been told something of an element. */
  times(widget: string, event: string): number {
    return this.page.events.filter((one) => one.widget === widget && one.event === event).length;
  }

  /** Closes the browser. */
  async stop(): Promise<void> {
    await this.desk('close-app', this.pid, '--force');
    await this.page.close();
  }
}

/** The page in a browser, for all tests of the calling block; none if the browser is not installed. */
export function useOrdinaryPage(place: () => Place, program: string, isThere: boolean): () => PageBench {
  let bench: PageBench | undefined;
  beforeAll(async () => {
    if (!isThere) return;
    const page = await serveOrdinaryPage();
    bench = new PageBench(place(), page, await launchBrowser(place(), program, page));
  });
  afterAll(() => bench?.stop());
  return () => {
    if (bench === undefined) throw new Error(`${program} did not start`);
    return bench;
  };
}
