import { strict as assert } from 'node:assert';
import { BOOKING as ROOM, bookingsIn, serveBooking } from '../../booking-site.ts';
import type { Errand } from '../errand.ts';

const BOOKING = { ...ROOM, phone: '020 7946 0018', street: '12 St James Square', city: 'London' };

const PAGE = {
  intro: '<p>The hotel has twelve rooms and a garden. Breakfast is served from seven to ten.</p>\n',
  more: `<p><label>Phone <input name="phone" type="tel"></label>
<p><label>Street <input name="street"></label>
<p><label>City <input name="city"></label>
`,
};

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
  serve: (home) => serveBooking(home, PAGE),
  check: async (home) => assert.deepEqual(await bookingsIn(home), [BOOKING]),
};
export default booking;
