const BEFORE = 'run-tool';
const OF_TOOL = /^run-tool ([A-Za-z0-9_-]{1,64})$/;

/** The command name of a tool from a tool file, in its own namespace: a tool may have the name of a command, such as "find" or "wait". */
export function toolCommandName(tool: string): readonly [string, string] {
  return [BEFORE, tool];
}

/** The tool whose command this is. */
export function toolOfCommand(command: string): string | undefined {
  return OF_TOOL.exec(command)?.[1];
}
