import type { ReceivingSockets } from '../../../dbus/index.ts';
import { Descriptors } from './descriptors.ts';
import { descriptorInbox } from './inbox.ts';

/** For a connection to a bus that receives descriptors. @throws Error saying what is missing */
export async function receivingSockets(): Promise<ReceivingSockets> {
  const descriptors = await Descriptors.load();
  return {
    connect: (path) => descriptors.connect(path),
    send: (...message) => descriptors.send(...message),
    duplicate: (file) => descriptors.duplicate(file),
    read: (socket, receiver) => descriptorInbox(socket, descriptors, receiver),
  };
}
