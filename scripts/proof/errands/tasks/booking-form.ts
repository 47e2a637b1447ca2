import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Errand } from '../errand.ts';

const BOOKING = {
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  phone: '020 7946 0018',
  street: '12 St James Square',
  city: 'London',
  country: 'Denmark',
  nights: '3',
  room: 'double',
  breakfast: 'yes',
  remarks: 'We arrive late.',
};

const PAGE = `<!doctype html><html lang="en"><title>Book a room</title><h1>Book a room</h1>
<p>The hotel has twelve rooms and a garden. Breakfast is served from seven to ten.</p>
<form method="post" action="/book">
<p><label>Name <input name="name" required></label>
<p><label>E-mail <input name="email" type="email"></label>
<p><label>Phone <input name="phone" type="tel"></label>
<p><label>Street <input name="street"></label>
<p><label>City <input name="city"></label>
<p><label>Country <select name="country"><option>Austria<option>Belgium<option>Denmark<option>France</select></label>
<p><label>Nights <input name="nights" type="number" min="1" max="30" value="1"></label>
<fieldset><legend>Room</legend><label><input type="radio" name="room" value="single" checked> Single</label>
<label><input type="radio" name="room" value="double"> Double</label></fieldset>
<p><label><input type="checkbox" name="breakfast" value="yes"> Breakfast</label>
<p><label>Remarks <textarea name="remarks"></textarea></label>
<p><button>Book</button></form></html>`;

const booking: Errand = {
  name: 'Book a room on a web page',
  application: 'firefox-esr',
  package: 'firefox-esr',
  task: `Open {url} in Firefox (firefox-esr) and book a double room with breakfast for ${BOOKING.name} (${BOOKING.email}, ${BOOKING.phone}), ${BOOKING.street}, ${BOOKING.city}, ${BOOKING.country}: three nights. Remark: "${BOOKING.remarks}"`,
  before: [
    ['launch', 'firefox-esr', '--wait', '--', '{url}'],
    ['snapshot', '--app', 'firefox'],
    ['set-value', '<textbox "Name">', BOOKING.name],
    ['set-value', '<textbox "E-mail">', BOOKING.email],
    ['set-value', '<textbox "Phone">', BOOKING.phone],
    ['set-value', '<textbox "Street">', BOOKING.street],
    ['set-value', '<textbox "City">', BOOKING.city],
    ['select', '<combobox "Country">', BOOKING.country],
    ['set-value', '<spinbutton "Nights">', BOOKING.nights],
    ['click', '<radio "Double">'],
    ['click', '<checkbox "Breakfast">'],
    ['set-value', '<textbox "Remarks">', BOOKING.remarks],
    ['click', '<button "Book">'],
  ],
  now: [
    ['do', 'launch firefox-esr --wait -- {url}'],
    [
      'do',
      [
        'fill',
        `<textbox "Name"> "${BOOKING.name}" <textbox "E-mail"> ${BOOKING.email} <textbox "Phone"> "${BOOKING.phone}"`,
        `<textbox "Street"> "${BOOKING.street}" <textbox "City"> ${BOOKING.city} <combobox "Country"> ${BOOKING.country}`,
        `<spinbutton "Nights"> ${BOOKING.nights} <radio "Double"> on <checkbox "Breakfast"> on`,
        `<textbox "Remarks"> "${BOOKING.remarks}"`,
      ].join(' '),
      'click <button "Book">',
    ],
  ],
  serve: async (home) => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      if (request.method !== 'POST') {
        response.end(PAGE);
        return;
      }
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        void writeFile(join(home, 'booking.txt'), body).then(() =>
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
  },
  check: async (home) => {
    const sent = new URLSearchParams(await readFile(join(home, 'booking.txt'), 'utf8'));
    assert.deepEqual(Object.fromEntries(sent), BOOKING);
  },
};
export default booking;
