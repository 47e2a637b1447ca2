import type { ProgramFacts, ProgramFactsPort } from '../../ports/policy/program-facts.ts';

/**
 * Asks about each process once in a turn of the event loop. A list of windows is judged in one turn, and many of them have the same process; what an
 * answer is used for later, such as the next keys, asks anew.
 */
export function oncePerTurn(programs: ProgramFactsPort): ProgramFactsPort {
  const asked = new Map<string, Promise<ProgramFacts>>();
  const keyOf = (pid: number, isFull: boolean): string => `${pid} ${isFull}`;
  return {
    ofProcess: (pid, isFull) => {
      // A full answer has all that the other one has.
      const known = asked.get(keyOf(pid, true)) ?? asked.get(keyOf(pid, isFull));
      if (known !== undefined) return known;
      if (asked.size === 0) setImmediate(() => asked.clear());
      const asking = programs.ofProcess(pid, isFull);
      asked.set(keyOf(pid, isFull), asking);
      return asking;
    },
    ofCommand: (command) => programs.ofCommand(command),
    ofApplication: (app) => programs.ofApplication(app),
    lineageOf: (pid) => programs.lineageOf(pid),
    keyOf: (pid) => programs.keyOf(pid),
  };
}
