/** A TCP connection, as this process has it. */
export interface TcpConnection {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}
