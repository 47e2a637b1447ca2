import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Call } from '../../errands/errand.ts';
import type { Task } from '../task.ts';

const BOOKING = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  country: 'Denmark',
  nights: '3',
  room: 'double',
  breakfast: 'yes',
  remarks: 'We arrive late.',
};
const RECEIVED = 'received.txt';

const PAGE = `<!doctype html><html lang="en"><title>Book a room</title><h1>Book a room</h1>
<form method="post" action="/book">
<p><label>Name <input name="name" required></label>
<p><label>E-mail <input name="email" type="email"></label>
<p><label>Country <select name="country"><option>Austria<option>Belgium<option>Denmark<option>France</select></label>
<p><label>Nights <input name="nights" type="number" min="1" max="30" value="1"></label>
<fieldset><legend>Room</legend><label><input type="radio" name="room" value="single" checked> Single</label>
<label><input type="radio" name="room" value="double"> Double</label></fieldset>
<p><label><input type="checkbox" name="breakfast" value="yes"> Breakfast</label>
<p><label>Remarks <textarea name="remarks"></textarea></label>
<p><button>Book</button></form></html>`;

/** Serves the form, and appends what it receives to a file of HOME. */
async function serve(home: string): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.method !== 'POST') {
      response.end(PAGE);
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

function formIn({
  browser,
  program,
  app,
}: {
  readonly browser: string;
  readonly program: string;
  readonly app: string;
}): Task {
  const field = (target: string, param: string): Call => ['set-value', target, `{{param.${param}}}`];
  return {
    name: `${browser}-form`,
    applications: [program],
    packages: [program],
    serve,
    params: ({ url }) => ({
      url,
      person: BOOKING.name,
      email: BOOKING.email,
      country: BOOKING.country,
      nights: BOOKING.nights,
      remarks: BOOKING.remarks,
    }),
    plain: [
      ['launch', program, '--wait', '--timeout', '60000', '--', '{{param.url}}'],
      ['wait', '--element', `app:${app} >> role:button[name="Book"]`, '--timeout', '30000'],
      ['snapshot', '--app', app],
      field('<textbox "Name">', 'person'),
      field('<textbox "E-mail">', 'email'),
      ['select', '<combobox "Country">', '{{param.country}}'],
      field('<spinbutton "Nights">', 'nights'),
      ['click', '<radio "Double">'],
      ['click', '<checkbox "Breakfast">'],
      field('<textbox "Remarks">', 'remarks'),
      ['click', '<button "Book">'],
    ],
    check: async (home) => {
      const received = (await readFile(join(home, RECEIVED), 'utf8')).trim().split('\n');
      assert.deepEqual(
        received.map((body) => Object.fromEntries(new URLSearchParams(body))),
        [BOOKING],
      );
    },
  };
}

export const FORM_SERVER: readonly Task[] = [
  formIn({ browser: 'firefox', program: 'firefox-esr', app: 'firefox' }),
  formIn({ browser: 'chromium', program: 'chromium', app: 'chromium' }),
];
