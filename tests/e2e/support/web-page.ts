import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const PageEvent = z.object({ widget: z.string(), event: z.string(), value: z.unknown() });
export type PageEvent = z.infer<typeof PageEvent>;

/** A page of our own whose script tells this process what happened to its elements. */
export interface WebPage {
  readonly url: string;
  readonly title: string;
  readonly events: readonly PageEvent[];
  close(): Promise<void>;
}

const BODY = `
<h1>Fixture page</h1>
<p>A paragraph of <b>plain</b> text.</p>
<button id="press">Press</button> <output id="counter" role="status">pressed 0</output>
<button id="idle">Idle</button> <button id="off" disabled>Disabled</button>
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
<p><button id="turn" aria-expanded="false">More</button></p>`;

const SCRIPT = `
function tell(widget, event, value) {
  fetch('/event', { method: 'POST', body: JSON.stringify({ widget, event, value }) });
}
let pressed = 0;
document.addEventListener('click', (event) => {
  const target = event.target.closest('button, a');
  if (!target) return;
  if (target.id === 'press') document.getElementById('counter').textContent = 'pressed ' + ++pressed;
  if (target.id === 'turn') target.setAttribute('aria-expanded', String(target.getAttribute('aria-expanded') !== 'true'));
  tell(target.id, 'clicked', null);
});
document.addEventListener('change', ({ target }) => {
  if (target.type === 'checkbox') tell(target.id, 'toggled', target.checked);
});
document.addEventListener('input', ({ target }) => {
  if (target.type !== 'checkbox') tell(target.id, 'text-changed', target.value);
});
document.addEventListener('focusin', ({ target }) => tell(target.id, 'focus-in', null));
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'F8') return;
  document.getElementById('name').focus();
  tell('name', 'focus-asked', null);
});
addEventListener('load', () => tell('page', 'loaded', null));`;

/** Serves the page on the loopback interface. */
export async function serveWebPage(title: string): Promise<WebPage> {
  const events: PageEvent[] = [];
  const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${BODY}<script>${SCRIPT}</script></body></html>`;
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      events.push(PageEvent.parse(JSON.parse(body)));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/`,
    title,
    events,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the page server has no port');
  return address.port;
}
