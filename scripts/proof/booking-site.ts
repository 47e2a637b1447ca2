import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const RECEIVED = 'received.txt';

/** What is booked; the page has a field for each of these. */
export const BOOKING = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  country: 'Denmark',
  nights: '3',
  room: 'double',
  breakfast: 'yes',
  remarks: 'We arrive late.',
};

export interface BookingPage {
  /** HTML above the form. */
  readonly intro?: string;
  /** HTML of more fields, after the address for e-mail. */
  readonly more?: string;
}

const pageOf = ({ intro = '', more = '' }: BookingPage): string => `<!doctype html>
<html lang="en"><title>Book a room</title><h1>Book a room</h1>
${intro}<form method="post" action="/book">
<p><label>Name <input name="name" required></label>
<p><label>E-mail <input name="email" type="email"></label>
${more}<p><label>Country <select name="country"><option>Austria<option>Belgium<option>Denmark<option>France</select></label>
<p><label>Nights <input name="nights" type="number" min="1" max="30" value="1"></label>
<fieldset><legend>Room</legend><label><input type="radio" name="room" value="single" checked> Single</label>
<label><input type="radio" name="room" value="double"> Double</label></fieldset>
<p><label><input type="checkbox" name="breakfast" value="yes"> Breakfast</label>
<p><label>Remarks <textarea name="remarks"></textarea></label>
<p><button>Book</button></form></html>`;

/** Serves a page with a form on loopback, and appends what it receives to a file of HOME. */
export async function serveBooking(
  home: string,
  page: BookingPage = {},
): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.method !== 'POST') {
      response.end(pageOf(page));
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      void writeFile(join(home, RECEIVED), `${body}\n`, { flag: 'a' }).then(() =>
        response.end('<!doctype html><title>Booked</title><h1>Thank you</h1>'),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Everything that the form of a HOME has sent. */
export async function bookingsIn(home: string): Promise<readonly Record<string, string>[]> {
  const received = (await readFile(join(home, RECEIVED), 'utf8')).trim().split('\n');
  return received.map((body) => Object.fromEntries(new URLSearchParams(body)));
}
