import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../program-copy.ts';

const ANSWER_MS = 10_000;

const PageEvent = z.object({ widget: z.string(), event: z.string(), value: z.unknown() });
export type PageEvent = z.infer<typeof PageEvent>;

const PageState = z.object({ text: z.string(), value: z.number(), checked: z.boolean() });
/** What the page's script reports about one of its elements. */
export type PageState = z.infer<typeof PageState>;

const Done = z.object({ id: z.number(), state: PageState });

/** Our own page, whose script reports events of its elements to this process and carries out its orders. */
export interface WebPage {
  readonly url: string;
  readonly title: string;
  readonly events: readonly PageEvent[];
  /** Has the page's script set a property of an element (`text value checked focused expanded removed`), or nothing, and report its state. */
  order(widget: string, property?: string, value?: unknown): Promise<PageState>;
  close(): Promise<void>;
}

const ROWS = Array.from({ length: 40 }, (_, index) => `<li tabindex="-1">Row ${index}</li>`).join('');

const BODY = `
<style>#rows { position: fixed; top: 60px; right: 40px; width: 200px; height: 150px; overflow: auto; border: 1px solid }</style>
<h1>Fixture page</h1>
<p>A paragraph of <b>plain</b> text.</p>
<p>Before the <a href="#below">inner link</a> and after it.</p>
<button id="press">Press</button> <output id="counter" role="status">pressed 0</output>
<button id="idle">Idle</button> <button id="enable_later">Enable later</button> <button id="off" disabled>Disabled</button>
<p><label><input type="checkbox" id="agree"> Agree</label>
<label><input type="checkbox" id="ready" checked> Ready</label></p>
<p><label for="name">Name</label> <input type="text" id="name" value="Ada" autofocus></p>
<p><label for="password">Password</label> <input type="password" id="password" value="s3cret-word"></p>
<p><label for="notes">Notes</label> <textarea id="notes">First line</textarea></p>
<p><label for="volume">Volume</label> <input type="range" id="volume" min="0" max="100" value="30"></p>
<p><label for="colour">Colour</label> <select id="colour"><option>red<option>green</select></p>
<p><a id="link" href="#below">Project page</a></p>
<ul aria-label="Fruits"><li>Apple</li><li>Banana</li></ul>
<table><caption>Prices</caption><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>2.50</td></tr></table>
<p><button id="turn" aria-expanded="false">More</button></p>
<ul id="rows" aria-label="Rows" tabindex="0">${ROWS}</ul>`;

const SCRIPT = `
function tell(widget, event, value) {
  fetch('/event', { method: 'POST', body: JSON.stringify({ widget, event, value }) });
}
let pressed = 0;
document.addEventListener('click', (event) => {
  const target = event.target.closest('button, a');
  if (!target) return;
  if (target.id === 'press') document.getElementById('counter').textContent = 'pressed ' + ++pressed;
  if (target.id === 'turn') {
    const opens = target.getAttribute('aria-expanded') !== 'true';
    target.setAttribute('aria-expanded', String(opens));
    tell('turn', opens ? 'expanded' : 'collapsed', null);
  }
  tell(target.id, 'clicked', null);
});
document.addEventListener('change', ({ target }) => {
  if (target.type === 'checkbox') tell(target.id, 'toggled', target.checked);
  if (target.localName === 'select') tell(target.id, 'selected', target.value);
});
document.addEventListener('input', ({ target }) => {
  if (target.type === 'range') tell(target.id, 'value-changed', Number(target.value));
  else if (target.type !== 'checkbox' && target.localName !== 'select') tell(target.id, 'text-changed', target.value);
});
document.addEventListener('focusin', ({ target }) => tell(target.id, 'focus-in', null));
document.addEventListener('contextmenu', ({ target }) => tell(target.id, 'context-menu', null));
document.addEventListener('selectionchange', () => tell('page', 'selected', String(getSelection()).length));
for (const button of document.querySelectorAll('button'))
  button.addEventListener('mouseenter', () => tell(button.id, 'pointer-in', null));
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'F8') return;
  document.getElementById('name').focus();
  tell('name', 'focus-asked', null);
});
const stateOf = (element) => ({
  text: element.value ?? element.textContent,
  value: element.type === 'range' ? Number(element.value) : element.scrollTop,
  checked: element.checked === true,
});
async function obey() {
  for (;;) {
    const { id, widget, property, value } = await (await fetch('/order')).json();
    const element = document.getElementById(widget);
    if (property === 'checked') element.checked = value;
    if (property === 'focused') element.focus();
    if (property === 'expanded') element.setAttribute('aria-expanded', String(value));
    if (property === 'removed') element.remove();
    if (property === 'text' || property === 'value') element['value' in element ? 'value' : 'textContent'] = value;
    await fetch('/done', { method: 'POST', body: JSON.stringify({ id, state: stateOf(element) }) });
  }
}
void obey();
addEventListener('load', () => tell('page', 'loaded', null));`;

/** The queue of orders for the page, which requests the next one and waits. */
class Orders {
  private readonly waiting: object[] = [];
  private readonly answers = new Map<number, (state: PageState) => void>();
  private idle: ServerResponse | undefined;
  private count = 0;

  async give(order: object): Promise<PageState> {
    const id = ++this.count;
    this.waiting.push({ id, ...order });
    const answer = new Promise<PageState>((resolve) => this.answers.set(id, resolve));
    this.hand();
    const late = new AbortController();
    const deadline = sleep(ANSWER_MS, undefined, { signal: late.signal }).then(() => {
      throw new Error(`the page did not answer ${JSON.stringify(order)}`);
    });
    try {
      return await Promise.race([answer, deadline]);
    } finally {
      late.abort();
      deadline.catch(() => undefined);
    }
  }

  asked(response: ServerResponse): void {
    this.idle = response;
    this.hand();
  }

  done({ id, state }: z.infer<typeof Done>): void {
    this.answers.get(id)?.(state);
    this.answers.delete(id);
  }

  private hand(): void {
    if (this.idle === undefined || this.waiting.length === 0) return;
    this.idle
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(this.waiting.shift()));
    this.idle = undefined;
  }
}

/** A page that nobody prepared for us, but for a script that tells what happens. */
export async function serveOrdinaryPage(): Promise<WebPage> {
  const html = await readFile(join(ROOT, 'fixtures/ordinary/page.html'), 'utf8');
  return serveWebPage('Ordinary page', html);
}

/** Serves a page, by default the one above, on the loopback interface. */
export async function serveWebPage(title: string, html = ownPage(title)): Promise<WebPage> {
  const events: PageEvent[] = [];
  const orders = new Orders();
  const server = createServer((request, response) => {
    if (request.url === '/order') {
      orders.asked(response);
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      if (request.url === '/done') orders.done(Done.parse(JSON.parse(body)));
      else events.push(PageEvent.parse(JSON.parse(body)));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/`,
    title,
    events,
    order: (widget, property, value) => orders.give({ widget, property, value }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function ownPage(title: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${BODY}<script>${SCRIPT}</script></body></html>`;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the page server has no port');
  return address.port;
}
