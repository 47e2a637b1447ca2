const BEFORE = 'run-tool';
const OF_TOOL = /^run-tool ([A-Za-z0-9_-]{1,64})$/;

/** What a tool of a tool file is called as a command: apart from all commands, of which one may well be called "find" or "wait" too. */
export function toolCommandName(tool: string): readonly [string, string] {
  return [BEFORE, tool];
}

/** The tool whose command this is. */
export function toolOfCommand(command: string): string | undefined {
  return OF_TOOL.exec(command)?.[1];
}
