import { DeskterityError } from '../model/effects/errors.ts';
import type { CallerTools } from './app.ts';

/** Tools of tool files and of other servers as one list. Without a folder for tool files, there are those of servers. */
export async function joinedTools(
  ofFiles: Promise<CallerTools>,
  ofServers: Promise<CallerTools>,
): Promise<CallerTools> {
  const [files, servers] = await Promise.allSettled([ofFiles, ofServers]);
  if (servers.status === 'rejected') throw servers.reason;
  if (files.status === 'rejected') {
    if (!(files.reason instanceof DeskterityError)) throw files.reason;
    return servers.value;
  }
  const [first, second] = [files.value, servers.value];
  let made: CallerTools['commands'] = [];
  let of: readonly CallerTools['commands'][] = [];
  return {
    get commands() {
      const now = [first.commands, second.commands];
      if (now.some((commands, index) => commands !== of[index])) {
        of = now;
        const taken = new Set(first.commands.map(({ toolName }) => toolName));
        made = [...first.commands, ...second.commands.filter(({ toolName }) => !taken.has(toolName))];
      }
      return made;
    },
    watch: (onChange) => {
      const ends = [first.watch(onChange), second.watch(onChange)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
