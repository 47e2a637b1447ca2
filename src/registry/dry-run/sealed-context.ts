import { isDryRunReport } from '../../model/effects/dry-run.ts';
import { Planned } from '../../model/effects/planned.ts';
import { overlay } from '../../model/overlay.ts';
import { clip, reveal } from '../../model/text/untrusted-text.ts';
import type { FilesPort } from '../../ports/files.ts';
import type { OperationsPort } from '../../ports/operations.ts';
import type { RunsPort } from '../../ports/runs.ts';
import type { SessionsPort } from '../../ports/sessions.ts';
import type { TerminalUseCases } from '../../ports/terminals/terminal-use-cases.ts';
import type { ToolsPort } from '../../ports/tools.ts';
import type { ServersPort } from '../../ports/upstream/servers.ts';
import type { CommandContext } from '../definition.ts';

const LONGEST_LINE = 200;

/** A context in which nothing can be done: whatever would have an effect throws {@link Planned} instead. */
export function sealedContext(ctx: CommandContext): CommandContext {
  const sealed: CommandContext = {
    ...ctx,
    isDryRun: true,
    engine: async (target) => (await ctx.engine(target)).dryRun(),
    files: sealedFiles(ctx.files),
    sessions: sealedSessions(ctx.sessions),
    operations: async (of) => sealedOperations(await ctx.operations(of)),
    terminals: async () => sealedTerminals(await ctx.terminals()),
    runs: async () => sealedRuns(await ctx.runs()),
    tools: async () => sealedTools(await ctx.tools()),
    servers: async () => sealedServers(await ctx.servers()),
    callTool: (name, input) => ctx.callTool(name, input, sealed),
    commands: {
      ...ctx.commands,
      run: async (name, input, options) => {
        // What is not known here counts as having an effect.
        if (ctx.commands.find(name)?.kind === 'read') return ctx.commands.run(name, input, options);
        const report = await ctx.commands.run(name, { ...input, dry_run: true }, options);
        throw isDryRunReport(report) ? Planned.again(report) : new Planned(name);
      },
    },
    undo: async () => {
      const undo = await ctx.undo();
      return { list: () => undo.list(), push: async () => undefined, remove: async () => undefined };
    },
    // Nobody is shown an act that does not take place.
    onAct: undefined,
    onTarget: undefined,
    onReversal: undefined,
  };
  return sealed;
}

function sealedFiles(files: FilesPort): FilesPort {
  return overlay<FilesPort, 'read' | 'find'>(files, ['read', 'find'], {
    writeAtomic: async (path) => planned(`write the file ${reveal(path)}`),
  });
}

function sealedSessions(sessions: SessionsPort): SessionsPort {
  return overlay<SessionsPort, 'list' | 'info' | 'homeOf' | 'picture'>(
    sessions,
    ['list', 'info', 'homeOf', 'picture'],
    {
      create: async ({ name, isPrivate }) => {
        const called = name === undefined ? 'with a free name' : JSON.stringify(name.slice(0, LONGEST_LINE));
        return planned(`create a session ${called}${isPrivate ? ' with a private desktop' : ''}`);
      },
      kill: async (name) => {
        const { home_files: files } = await sessions.info(name);
        return planned(
          `end the session ${JSON.stringify(name)}${files === undefined ? '' : ', and delete the files in its HOME'}`,
        );
      },
      livePage: async (name) => {
        await sessions.info(name);
        return planned(`open a page that shows the session ${JSON.stringify(name)}`);
      },
      takeOver: async (name) => {
        await sessions.info(name);
        return planned(`give the desktop of the session ${JSON.stringify(name)} to a person`);
      },
      handBack: async (name) => {
        await sessions.info(name);
        return planned(`take the desktop of the session ${JSON.stringify(name)} back from the person`);
      },
    },
  );
}

function sealedOperations(operations: OperationsPort): OperationsPort {
  return overlay<OperationsPort, 'prepare' | 'status' | 'list' | 'wait' | 'read' | 'onEnd'>(
    operations,
    ['prepare', 'status', 'list', 'wait', 'read', 'onEnd'],
    {
      start: async ({ tool }) => planned(`run ${reveal(tool)}`),
      cancel: async (id) => {
        const { tool, status } = await operations.status(id);
        return planned(`end ${reveal(tool)} (${id}), which is ${status}`);
      },
    },
  );
}

/** Actions that only read. */
const TERMINAL_READING = ['read', 'list', 'info', 'screen', 'output'] as const;

function sealedTerminals(terminals: TerminalUseCases): TerminalUseCases {
  const found = async (
    request: Parameters<TerminalUseCases['screen']>[0],
    options: Parameters<TerminalUseCases['screen']>[1],
    step: string,
  ): Promise<never> => {
    const { project_path, tag } = request;
    await terminals.screen({ project_path, tag }, options);
    return planned(step);
  };
  return overlay<TerminalUseCases, (typeof TERMINAL_READING)[number]>(terminals, TERMINAL_READING, {
    // It opens a terminal where there is none.
    execute: async ({ command, interrupt }) =>
      planned(
        command === ''
          ? 'open the terminal, unless it is open'
          : `${interrupt ? 'end what is running in the terminal, and ' : ''}run ${line([command])} in the terminal`,
      ),
    send: (request, options) => found(request, options, 'send the text and keys to the terminal'),
    focus: async (request, options) => {
      await terminals.focus(request, { ...options, isTrial: true });
      return planned('show the window of the terminal');
    },
    attach: async (request, options) => {
      await terminals.attach(request, { ...options, isTrial: true });
      return planned('open a window that shows the terminal');
    },
    resize: (request, options) => found(request, options, 'resize the terminal'),
    kill: (request, options) => found(request, options, 'end what is running in the terminal'),
    close: (request, options) => found(request, options, 'close the terminal with everything in it'),
  });
}

function sealedRuns(runs: RunsPort): RunsPort {
  return overlay<RunsPort, 'scope' | 'home' | 'guarded' | 'prepare'>(
    runs,
    ['scope', 'home', 'guarded', 'prepare'],
    {
      start: async ({ steps }) =>
        planned(
          steps
            .map(({ command, cwd, sandbox }) => {
              const more = sandbox.network ? ', with network' : '';
              return `run ${line(command)} in ${reveal(cwd)}, confined to ${reveal(sandbox.scope)}${more}`;
            })
            .join('; then '),
        ),
    },
  );
}

function sealedTools(tools: ToolsPort): ToolsPort {
  return overlay<ToolsPort, 'list' | 'validate' | 'folder' | 'draft'>(
    tools,
    ['list', 'validate', 'folder', 'draft'],
    { trust: async (file) => planned(`allow the tool file ${reveal(file)} to run with its present content`) },
  );
}

function sealedServers(servers: ServersPort): ServersPort {
  return overlay<ServersPort, 'list' | 'inspect' | 'more'>(servers, ['list', 'inspect', 'more'], {
    call: async (tool, _input, { guard, signal }) => {
      const { servers: found } = await servers.list(tool, signal);
      const known = found.flatMap(({ tools }) => tools).find(({ name }) => name === tool);
      if (known !== undefined) guard(known);
      return planned(`call the tool ${reveal(tool)} of another server`);
    },
    trust: async (file) => planned(`allow the servers of ${reveal(file)} to run with its present content`),
    signIn: async (name) => planned(`sign a person in to the server ${reveal(name)}`),
    signOut: async (name) => planned(`forget the sign-in to the server ${reveal(name)}`),
  });
}

function planned(step: string): never {
  throw new Planned(step);
}

function line(command: readonly string[]): string {
  return JSON.stringify(clip(reveal(command.join(' ')), LONGEST_LINE));
}
