import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { tcpPeers } from '../../../../src/platform/linux/process/tcp-peers.ts';

const opened: (Server | Socket | ChildProcess)[] = [];
afterEach(() => {
  for (const one of opened.splice(0))
    if ('kill' in one) one.kill('SIGKILL');
    else if ('destroy' in one) one.destroy();
    else one.close();
});

const HAS_IPV6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');

/** A connection to us, made by another program to this address. */
async function connected(listenTo: string, connectTo: string) {
  const server = createServer();
  server.listen(0, listenTo);
  opened.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const script = `require('node:net').connect(${port}, ${JSON.stringify(connectTo)}).on('data', () => 0)`;
  const client = spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  opened.push(client);
  const [socket] = (await once(server, 'connection')) as [Socket];
  opened.push(socket);
  const { localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 } = socket;
  return { client, connection: { localAddress, localPort, remoteAddress, remotePort } };
}

describe.runIf(process.platform === 'linux')('who is at the other end of a connection', () => {
  it.for([
    ['IPv4', '127.0.0.1', '127.0.0.1'],
    ['IPv6', '::1', '::1'],
    ['IPv4 to a server of both', '::', '127.0.0.1'],
  ] as const)('is found by the kernel: %s', async ([, listenTo, connectTo], { skip }) => {
    skip(!HAS_IPV6 && listenTo.includes('::'), 'this machine has no IPv6');
    const { client, connection } = await connected(listenTo, connectTo);
    expect(await tcpPeers(connection)).toEqual([client.pid]);
  });

  it('is nobody of this machine if nothing here has such a socket', async () => {
    const { connection } = await connected('127.0.0.1', '127.0.0.1');
    expect(await tcpPeers({ ...connection, remoteAddress: '192.0.2.7' })).toEqual([]);
    expect(await tcpPeers({ ...connection, remoteAddress: '2001:db8::7' })).toEqual([]);
  });
});
