import type { Connection } from '../../../src/surfaces/cli/daemon/connection.ts';

async function refuse(): Promise<never> {
  throw new Error('this connection serves no MCP and no terminal');
}

/** For connections of tests that are about calls. */
export const NO_MCP: Pick<Connection, 'openMcp' | 'serveMcp' | 'openTerminal'> = {
  openMcp: refuse,
  serveMcp: refuse,
  openTerminal: refuse,
};
