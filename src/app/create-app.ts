import { DeskterityError } from '../model/effects/errors.ts';
import { nearest } from '../model/text/nearest.ts';
import { toolOfCommand } from '../model/tools/tool-command-name.ts';
import type { DaemonFacts } from '../ports/daemon.ts';
import type { LogEntry } from '../ports/log.ts';
import type { CommandContext, Picture } from '../registry/define.ts';
import { invoke } from '../registry/invoke.ts';
import type { RegisteredCommand, Registry } from '../registry/registry.ts';
import { asDeskterityError } from '../registry/wrappers/classify-errors.ts';
import { DesktopPool } from '../sessions/desktop-pool.ts';
import { CommandLine } from './command-lines.ts';
import { withUserDesktop } from '../sessions/find-desktop.ts';
import { newsOf, outlineAnswer, quotedOf, renderAnswer, renderFailure } from './render.ts';
import type { Rendered } from './render.ts';
import { sessionOver } from '../sessions/live-session.ts';
import { SessionHomes } from '../sessions/session-homes.ts';
import { PassingSessions } from '../sessions/passing-sessions.ts';
import { engineOf } from '../sessions/call-target.ts';
import { nearestTerminal } from '../terminal/use-cases/find-terminal.ts';
import { nearestReal } from '../operations/confinement/sandbox-scope.ts';
import { Watches } from '../sessions/watches.ts';
import { secretsOf } from './withhold.ts';
import type { CallSettings, ExecuteOptions, App, AppParts } from './app.ts';

interface Done {
  readonly command: RegisteredCommand;
  readonly output: Record<string, unknown>;
  readonly isFromDesktop: boolean;
}

type PerformSettings = CallSettings & Pick<CommandContext, 'form' | 'secrets' | 'attach' | 'progress'>;

export function createApp(parts: AppParts): App {
  const pool = new DesktopPool(parts.desktops);
  // Sessions outlive a call: what a store has to say goes to a call of its session.
  const notes = new Map<string, string[]>();
  let activeCalls = 0;

  const noteKey = (folder: string, name: string): string => JSON.stringify([folder, name.toLowerCase()]);
  const passing = new PassingSessions();
  const watches = new Watches(parts.clock);
  const commandLine = new CommandLine(parts, async (environment) => (await pool.get(environment)).port);
  const homes = new SessionHomes({
    pool,
    factory: parts.desktops,
    folderOf: parts.sessionFolder,
    openStore: (folder, name) =>
      passing.storeOf(folder, name) ??
      parts.openSession(folder, name, (message) => {
        const key = noteKey(folder, name);
        notes.set(key, [...new Set([...(notes.get(key) ?? []), message])]);
      }),
    storedNames: parts.storedSessions,
    clock: parts.clock,
    createEngine: async (needed) => parts.createEngine({ ...needed, clock: parts.clock }),
    terminalDesktop: async (view) => {
      const { TerminalDesktop } = await import('../terminal/desktop/terminal-desktop.ts');
      return new TerminalDesktop(view, parts.clock);
    },
    outlivesCalls: parts.outlivesCalls,
    openLiveView: parts.openLiveView,
  });

  const { daemonFacts } = parts;
  const daemon = daemonFacts && {
    facts: (): DaemonFacts => ({ ...daemonFacts(), activeCalls, desktops: homes.desktops() }),
  };

  const perform = async (
    session: string,
    name: string,
    input: unknown,
    settings: PerformSettings,
  ): Promise<Done> => {
    const caller = settings.caller ?? parts.caller;
    const known = parts.registry.get(name);
    const tool = toolOfCommand(name);
    if (known === undefined && tool === undefined) throw unknownCommand(parts.registry, name);
    const configuration = await parts.configuration(caller.environment);
    const sessions = homes.of(caller);
    const place = sessions.enter(session, caller, {
      screen: configuration.values.private_desktop,
      beside: passing.besideOf(parts.sessionFolder(caller.environment), session),
    });
    const line = { caller, session: place.name, configuration: configuration.values };
    const findTool = (toolName: string) => commandLine.findTool(line, toolName);
    const command = known ?? (await findTool(tool ?? name));
    let isFromDesktop = false;
    const refs = async (ids: readonly string[]) => (await place.terminals()).refs(ids);
    const { keptTerminals, ...linePorts } = commandLine.of(line, { resolved: configuration, refs });
    const ctx: CommandContext = {
      engine: (target = {}) => {
        isFromDesktop = true;
        const folder = () => nearestReal(caller.cwd);
        return engineOf({ place, terminals: keptTerminals, folder, nearest: nearestTerminal }, target);
      },
      privateDisplay: () => place.privateDisplay,
      files: parts.files,
      documents: parts.documents,
      clock: parts.clock,
      system: parts.system,
      secrets: settings.secrets,
      session: place.name,
      cwd: caller.cwd,
      environment: caller.environment,
      isDesktopFound: caller.isDesktopFound,
      configuration,
      sessions,
      ...linePorts,
      callTool: async (toolName, given) => invoke(await findTool(toolName), ctx, given),
      daemon,
      outlivesCall: parts.outlivesCalls,
      calledAt: new Date(),
      form: settings.form,
      attach: settings.attach,
      progress: settings.progress,
      signal: settings.signal ?? new AbortController().signal,
    };
    try {
      const output = await invoke(command, ctx, input);
      const { privateDisplay } = place;
      const told = privateDisplay === undefined ? output : { private_desktop: privateDisplay, ...output };
      return {
        command,
        isFromDesktop,
        output: commandLine.withNews(caller.environment, place.name, told),
      };
    } catch (error) {
      const failure = asDeskterityError(error, name);
      // What a killed session leaves behind looks like a broken desktop; what was done before is still told.
      const isKilled = place.isOver && failure.code !== 'CANCELLED' && failure.delivered !== true;
      throw isKilled ? sessionOver(place.name, failure) : failure;
    } finally {
      commandLine.terminals.afterCall(caller.environment);
    }
  };

  const logged = async <T>(
    session: string,
    name: string,
    settings: CallSettings,
    body: () => Promise<T>,
  ): Promise<T> => {
    const started = parts.clock.now();
    let code: string | undefined;
    activeCalls++;
    try {
      return await body();
    } catch (error) {
      code = error instanceof DeskterityError ? error.code : 'INTERNAL';
      throw error;
    } finally {
      activeCalls--;
      const entry: LogEntry = {
        level: code === 'INTERNAL' ? 'error' : 'info',
        message: 'call',
        fields: {
          // A name that nobody gave is text that somebody typed.
          command: parts.registry.get(name)?.name ?? 'unknown',
          session,
          ...(code === undefined ? {} : { error: code }),
          duration_ms: Math.round(parts.clock.now() - started),
        },
      };
      parts.log.write(entry);
      settings.onLog?.(entry);
    }
  };

  const execute = async (
    session: string,
    name: string,
    input: unknown,
    options: ExecuteOptions,
  ): Promise<Rendered> => {
    const secrets = secretsOf(input, options.secrets ?? []);
    const pretty = options.pretty ?? false;
    let format = options.format ?? 'json';
    try {
      if (options.format === undefined)
        format = (await parts.configuration((options.caller ?? parts.caller).environment)).values.output
          .format;
      const form = format === 'json' ? 'json' : 'outline';
      const { command, output } = await logged(session, name, options, () =>
        perform(session, name, input, { ...options, form, secrets }),
      );
      return renderAnswer(command, output, { format, pretty, secrets });
    } catch (error) {
      const known = parts.registry.get(name)?.name ?? name;
      return renderFailure(known, asDeskterityError(error, name), { format, pretty, secrets });
    }
  };

  return {
    execute: async (session, command, input, options = {}) => {
      const rendered = await execute(session, command, input, options);
      const { environment } = options.caller ?? parts.caller;
      const key = noteKey(parts.sessionFolder(environment), session);
      const stderr = (notes.get(key) ?? []).map((note) => `note: ${note}\n`);
      notes.delete(key);
      return { ...rendered, stderr: stderr.join('') + rendered.stderr };
    },
    call: async (session, command, input, options = {}) => {
      const { output } = await logged(session, command, options, () =>
        perform(session, command, input, { form: 'json', ...options, secrets: [] }),
      );
      return output;
    },
    answer: async (session, name, input, { onProgress, ...options }) => {
      const pictures: Picture[] = [];
      const started = parts.clock.now();
      const { command, output, isFromDesktop } = await logged(session, name, options, () =>
        perform(session, name, input, {
          ...options,
          secrets: [],
          attach: (picture) => pictures.push(picture),
          progress: onProgress,
        }),
      );
      const durationMs = Math.round(parts.clock.now() - started);
      return {
        output,
        outline: outlineAnswer(command, output),
        quoted: quotedOf(command, output),
        news: newsOf(output),
        pictures,
        isFromDesktop,
        durationMs,
      };
    },
    watch: async (session, topic, listener, settings = {}) => {
      const caller = settings.caller ?? parts.caller;
      const { values } = await parts.configuration(caller.environment);
      const place = homes.of(caller).enter(session, caller, { screen: values.private_desktop });
      try {
        return await watches.start(place, topic, listener, settings);
      } catch (error) {
        throw asDeskterityError(error, 'watch');
      }
    },
    commands: parts.registry.commands,
    toolsOf: async (caller) => {
      const { values } = await parts.configuration(caller.environment);
      return commandLine.offered({ caller, session: '', configuration: values });
    },
    terminalFacts: (caller) => commandLine.terminals.facts(caller),
    prepareTools: (caller) => commandLine.prepare(caller),
    watchCommandEnds: (session, hear, caller = parts.caller) =>
      commandLine.terminals.watchCommandEnds(caller.environment, session, hear),
    findDesktop: (caller) => withUserDesktop(caller, parts.desktops),
    displayIn: (environment) => parts.desktops.displayIn(environment),
    openAttachment: (caller, request) => commandLine.terminals.attachments.open(caller, request),
    openPassingSession: (prefix, caller, { beside } = {}) => {
      const folder = parts.sessionFolder(caller.environment);
      const { name, forget } = passing.start(folder, prefix, beside);
      return {
        name,
        end: async () => {
          // Killed meanwhile, or never used.
          await homes
            .of(caller)
            .kill(name)
            .catch(() => undefined);
          forget();
        },
      };
    },
    sessions: homes.of(parts.caller),
    get activeCalls() {
      return activeCalls;
    },
    keptBy: () => {
      const desktops = homes.desktops().filter((desktop) => desktop.private).length;
      return [
        ...(desktops === 0 ? [] : [`${desktops} private ${desktops === 1 ? 'desktop' : 'desktops'}`]),
        ...(homes.isWatched ? ['a live page'] : []),
        ...(pool.ownsClipboard ? ['the clipboard'] : []),
        ...watches.why,
        ...commandLine.why,
      ];
    },
    close: async () => {
      watches.close();
      await homes.close();
      await pool.close();
      await commandLine.terminals.flush();
      await parts.log.flush();
    },
  };
}

function unknownCommand(registry: Registry, name: string): DeskterityError {
  const close = nearest(
    name,
    registry.commands.flatMap((command) => [command.name, ...command.aliases]),
  );
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `There is no command ${JSON.stringify(name.slice(0, 80))}.`,
    {
      suggestion: close === undefined ? 'Run "desk --help" to see all commands.' : `Did you mean ${close}?`,
    },
  );
}
