import type { TerminalRecord } from '../../model/terminals/terminal-record.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';

/** What is known of a terminal whose holder does not answer. */
export function factsOfRecord(record: TerminalRecord): TerminalFactsView {
  return {
    id: record.terminal_id,
    name: { projectPath: record.project_path, tag: record.tag },
    pid: record.process.pid,
    ttyPath: record.tty,
    shell: record.shell,
    startedAt: new Date(record.started_at),
    isConfined: record.sandbox !== 'none',
    size: record.size,
    title: '',
    cwd: undefined,
    state: 'running',
    restsOn: ['its holder runs and does not answer'],
    prompt: undefined,
    running: undefined,
    exitCode: undefined,
    attached: 0,
  };
}
