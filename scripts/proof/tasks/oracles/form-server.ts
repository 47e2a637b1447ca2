import { strict as assert } from 'node:assert';
import { BOOKING, bookingsIn, serveBooking } from '../../booking-site.ts';
import type { Call } from '../../errands/errand.ts';
import type { Task } from '../task.ts';

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
    serve: (home) => serveBooking(home),
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
    check: async (home) => assert.deepEqual(await bookingsIn(home), [BOOKING]),
  };
}

export const FORM_SERVER: readonly Task[] = [
  formIn({ browser: 'firefox', program: 'firefox-esr', app: 'firefox' }),
  formIn({ browser: 'chromium', program: 'chromium', app: 'chromium' }),
];
