import type { LogPort } from '../../ports/log.ts';
import type { TerminalCallOptions, TerminalUseCases } from '../../ports/terminals/terminal-use-cases.ts';
import type { TerminalsPort } from '../../ports/terminals.ts';
import { attach, close, execute, focus, kill, resize, send } from './actions.ts';
import type { TerminalContext } from './context.ts';
import { list, info, output, read, screen } from './reads.ts';

export interface UseCaseParts extends Omit<TerminalContext, 'port' | 'signal' | 'isTrial'> {
  readonly terminals: () => Promise<TerminalsPort>;
  /** @throws DeskterityError CONFIG_INVALID if its configured folder cannot be used */
  readonly log: () => Promise<Pick<LogPort, 'write'>>;
}

/** The terminal actions for one caller. */
export function createTerminalUseCases(parts: UseCaseParts): TerminalUseCases {
  const useCase =
    <R, O>(work: (context: TerminalContext, request: R) => Promise<O>) =>
    async (request: R, { signal, isTrial, ignored = [] }: TerminalCallOptions): Promise<O> => {
      const log = await parts.log();
      for (const note of ignored) log.write({ level: 'debug', message: 'terminal call', fields: { note } });
      return work({ ...parts, port: await parts.terminals(), signal, isTrial }, request);
    };
  return {
    execute: useCase(execute),
    read: useCase(read),
    list: useCase(list),
    info: useCase(info),
    focus: useCase(focus),
    kill: useCase(kill),
    send: useCase(send),
    screen: useCase(screen),
    resize: useCase(resize),
    output: useCase(output),
    attach: useCase(attach),
    close: useCase(close),
  };
}
