import { afterAll, beforeAll, expect, it } from 'vitest';
import { OwnDevices } from '../../../src/platform/linux/display/x11/input/seat/own-devices.ts';
import { SeatPlaces } from '../../../src/platform/linux/display/x11/input/seat/seat-places.ts';
import { UsersFocus } from '../../../src/platform/linux/display/x11/input/seat/users-focus.ts';
import { REPLACE, words } from '../../../src/platform/linux/display/x11/properties.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { TestServer } from './x-server.ts';

const CALL = { deadlineMs: 5000 };
/** The predefined atom. */
const WINDOW = 33;
const INPUT_OUTPUT = 1;
const POINTER_ROOT = 1;

let server: TestServer;
let ours: X11Wire;
let users: X11Wire;
let own: OwnDevices;

beforeAll(async () => {
  server = await TestServer.start({ manager: false });
  ours = await X11Wire.connect(server.display, CALL);
  users = await X11Wire.connect(server.display, CALL);
  own = await OwnDevices.create(ours);
});
afterAll(async () => {
  await own.remove();
  ours.close();
  users.close();
  server.stop();
});

async function show(size: number): Promise<number> {
  const id = ours.allocateId();
  const values = { eventMask: 0, overrideRedirect: 0 };
  await ours.call('CreateWindow', id, ours.root, 0, 0, size, size, 0, 0, INPUT_OUTPUT, 0, values);
  await ours.call('MapWindow', id);
  return id;
}

it('comes back where the window of the user stayed active and only the focus went', async () => {
  // The pointer of the user is in the middle of the screen, so on their window.
  const [theirs, worked, rest] = [await show(4000), await show(10), await show(10)];
  const say = (property: '_NET_CLIENT_LIST' | '_NET_ACTIVE_WINDOW', ...windows: number[]) =>
    ours.call('ChangeProperty', REPLACE, ours.root, ours.atom(property), WINDOW, 32, words(windows));
  await say('_NET_CLIENT_LIST', theirs, worked);
  await say('_NET_ACTIVE_WINDOW', theirs);
  const places = new SeatPlaces(ours, own.requests);
  const focus = new UsersFocus(ours, users, { rest, places });
  await users.accepts('SetInputFocus', theirs, POINTER_ROOT);
  const before = await places.usersPlace();
  expect(before).toEqual({ active: theirs, focus: theirs });
  // As GTK does when xfwm4 tells it to take the focus, of which xfwm4 then does not hear.
  await users.accepts('SetInputFocus', worked, POINTER_ROOT);
  await focus.putBack(before, { outermost: worked, client: worked });
  expect(await places.usersPlace()).toEqual(before);
});
