import type { ProcessKey } from '../../../ports/policy/program-facts.ts';
import { allProcesses, commandLine, hasTerminal, programName, readProcess } from './facts.ts';

/** Longer than any chain of shells and helpers. */
const MOST_GENERATIONS = 64;
/** Programs in a multiplexer come from its server, and the terminal that shows them is where one of its clients runs. */
const MULTIPLEXERS = /^(?:tmux|screen|zellij|dtach|abduco)\b/i;

/** The process and those that it comes from; behind a multiplexer, also the clients of it and those that they come from. */
export function lineageOf(pid: number): ProcessKey[][] {
  const own = ancestorsOf(pid);
  const isMultiplexed = own.some((one) => isMultiplexer(one.pid));
  if (!isMultiplexed) return [own];
  const clients = allProcesses().filter((one) => isMultiplexer(one.pid));
  return [own, ...clients.map((client) => ancestorsOf(client.pid))];
}

function ancestorsOf(pid: number): ProcessKey[] {
  const line: ProcessKey[] = [];
  // The first process of the machine or the container is everybody's.
  for (let at = pid; at > 1 && line.length < MOST_GENERATIONS;) {
    const entry = readProcess(at);
    if (entry === undefined) break;
    line.push({ pid: at, key: entry.startTime, isInTerminal: hasTerminal(at) });
    at = entry.parent;
  }
  return line;
}

function isMultiplexer(pid: number): boolean {
  const names = [programName(pid), commandLine(pid)[0]?.split('/').pop()];
  return names.some((name) => name !== undefined && MULTIPLEXERS.test(name));
}
