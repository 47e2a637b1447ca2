import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import { eiStream } from '../../eis/ei-stream.ts';
import { EisRoute } from '../../eis/eis-route.ts';
import type { InputRoute } from '../../input/input-route.ts';
import { layoutOf, Outputs } from '../../outputs.ts';
import type { WaylandWire } from '../../wire/wayland-wire.ts';
import { explained, RemoteDesktop } from '../remote-desktop.ts';
import { NotifyRoute } from './notify-route.ts';

/** A way to send input, with the session that it lives in. */
export interface OpenRoute {
  readonly session: RemoteDesktop;
  readonly route: InputRoute;
}

/** The EI protocol where this Mutter has it, single calls where not. @throws DeskterityError */
export async function openRoute(
  wire: WaylandWire,
  environment: Environment,
  options: CallOptions,
): Promise<OpenRoute> {
  const within = async (
    open: (session: RemoteDesktop) => Promise<InputRoute | undefined>,
  ): Promise<OpenRoute | undefined> => {
    const session = await RemoteDesktop.create(environment, wire.display, options);
    try {
      const route = await open(session);
      session.bus.receiveNoMore();
      if (route !== undefined) return { session, route };
    } catch (error) {
      session.close();
      throw explained(error);
    }
    session.close();
    return undefined;
  };
  const notify = async (session: RemoteDesktop): Promise<InputRoute> => {
    const outputs = await wire.within(new Outputs(wire).list(), 'reading the screens', options);
    return NotifyRoute.open(session, layoutOf(outputs), options);
  };
  const found = await within(async (session) =>
    (await session.hasEis(options))
      ? openEis(session, wire.display, options).catch(() => undefined)
      : notify(session),
  );
  // Built without the protocol. A screen cast cannot join a session that was started, so it is another one.
  const opened = found ?? (await within(notify));
  if (opened === undefined) throw new Error('there is no way to send input');
  return opened;
}

async function openEis(session: RemoteDesktop, display: string, options: CallOptions): Promise<InputRoute> {
  await session.start(options);
  const route = await EisRoute.open(eiStream(await session.connectToEis(options)), display, options);
  session.onLoss(() => route.close());
  return route;
}
