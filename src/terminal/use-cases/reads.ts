import { resolve } from 'node:path';
import type { SessionEntry, TerminalOutcome } from '../../model/terminals/terminal-answer.ts';
import { displayName } from '../../model/terminals/session-name.ts';
import type {
  ListRequest,
  OutputRequest,
  ReadRequest,
  SessionRequest,
} from '../../model/terminals/terminal-requests.ts';
import type { ScreenRow, TerminalScreen } from '../../model/terminals/terminal-screen.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { revealLines } from '../../model/text/untrusted-text.ts';
import { nearestReal } from '../../operations/confinement/sandbox-scope.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';
import { sessionTitle } from '../windows/terminal-title.ts';
import { focusIfRequested, type TerminalContext } from './context.ts';
import {
  informed,
  linesRead,
  listed,
  outputRead,
  screenRead,
  withData,
  type CommandOutcome,
} from './outcomes.ts';
import { invalid, requireTerminal } from './session-of-request.ts';

const LOOK_MS = 5000;
const CONTEXT_LINES = 2;
const EARLIER_LINES = `Earlier lines are left out; read the beginning with ${mentionCommand('terminal read', { head: 100 })} or all output with ${mentionCommand('terminal output', { cursor: 0 })}.`;
/** Of the beginning of all output. */
const DEFAULT_TOKENS = 4000;
const MOST_RAW_BYTES = 48 * 1024;
/** Enough to learn how much output there is. */
const LEAST_TOKENS = 100;
const MAX_HIGHLIGHTED = 20;

/** The last lines of the screen and its scrollback. */
export async function read(context: TerminalContext, request: ReadRequest): Promise<TerminalOutcome> {
  const { port, settings } = context;
  const { head, lines = settings.lines } = request;
  if (head !== undefined && request.lines !== undefined)
    throw invalid("Only one of 'head' and 'lines' is allowed.", 'Leave the other out.');
  const found = await requireTerminal(context, request);
  await focusIfRequested(context, found, request);
  const { id } = found;
  if (head !== undefined) {
    const part = await port.output(id, { head, maxTokens: DEFAULT_TOKENS });
    const outcome = { ...outcomeOf(await port.facts(id)), output: part.text, leftOut: part.left_out };
    return linesRead(outcome);
  }
  // One more, to know whether any are left out.
  const [{ text, leftOut }, terminal] = await Promise.all([port.lines(id, lines + 1), port.facts(id)]);
  const all = text.split('\n');
  const isCut = all.length > lines;
  return linesRead({
    ...outcomeOf(terminal),
    output: isCut ? all.slice(all.length - lines).join('\n') : text,
    leftOut: [...(isCut ? [EARLIER_LINES] : []), ...leftOut],
  });
}

/** The current screen. */
export async function screen(context: TerminalContext, request: SessionRequest): Promise<TerminalOutcome> {
  const { port, signal } = context;
  const { id } = await requireTerminal(context, request);
  const view = await port.view(id);
  const [{ screen }, terminal] = await Promise.all([
    view.read({ scrollbackLines: 0, deadlineMs: LOOK_MS, signal }),
    port.facts(id),
  ]);
  const { size, cursor } = screen;
  return screenRead(
    { ...outcomeOf(terminal), output: textOfRows(screen.rows) },
    {
      ...size,
      title: screen.title,
      is_alternate: screen.isAlternate,
      cursor: { row: cursor.row + 1, column: cursor.column + 1, is_visible: cursor.isVisible },
      highlighted: highlightedIn(screen),
    },
  );
}

/** A part of the stored output. */
export async function output(context: TerminalContext, request: OutputRequest): Promise<TerminalOutcome> {
  const { cursor, pattern, lines: tail, max_tokens: maxTokens, ignore_case: ignoreCase } = request;
  const { head, head_bytes: headBytes } = request;
  if ([cursor ?? head ?? headBytes, pattern, tail].filter((way) => way !== undefined).length > 1)
    throw invalid(
      "Only one of 'cursor', 'lines' and 'pattern' is allowed; 'head' goes with 'cursor' or alone.",
      'Leave the others out.',
    );
  const terminal = await requireTerminal(context, request);
  if (request.raw) return rawOutput(context, terminal, request);
  const part = await context.port.output(terminal.id, {
    cursor,
    head,
    headBytes,
    tail,
    pattern,
    ignoreCase,
    context: CONTEXT_LINES,
    maxTokens,
  });
  return outputRead({ ...outcomeOf(terminal), output: part.text, leftOut: part.left_out }, part);
}

/** The bytes of the output, in which nothing is escaped. @throws DeskterityError ACTION_FAILED if not all of them are kept */
async function rawOutput(
  { port }: TerminalContext,
  terminal: TerminalFactsView,
  { cursor, pattern, lines, head, head_bytes: headBytes }: OutputRequest,
): Promise<TerminalOutcome> {
  if ([pattern, lines, head, headBytes].some((way) => way !== undefined))
    throw invalid("'raw' is only possible with 'cursor'.", 'Leave the others out.');
  const { total_bytes: total, total_lines } = await port.output(terminal.id, {
    tail: 1,
    maxTokens: LEAST_TOKENS,
  });
  const from = Math.min(total, cursor ?? Math.max(0, total - MOST_RAW_BYTES));
  const to = Math.min(total, from + MOST_RAW_BYTES);
  const bytes = await port.bytes(terminal.id, { from, to });
  const left = total - to;
  const outcome = {
    ...outcomeOf(terminal),
    leftOut: left === 0 ? [] : [`${left} bytes follow; pass next_cursor to read them.`],
  };
  const extent = { next_cursor: to, total_bytes: total, total_lines };
  return withData(outputRead(outcome, extent), { raw: Buffer.from(bytes).toString('base64') });
}

export async function list(context: TerminalContext, request: ListRequest): Promise<TerminalOutcome> {
  return listed(await entriesOf(context, request));
}

/** Settings and sessions. */
export async function info(context: TerminalContext, request: ListRequest): Promise<TerminalOutcome> {
  const { settings, windows, version } = context;
  const [app, entries] = await Promise.all([windows.application(), entriesOf(context, request)]);
  return informed(
    {
      version,
      app: app ?? 'none',
      grouping: settings.windowGrouping,
      logLevel: settings.logLevel,
    },
    settings.configured,
    entries,
  );
}

/** An outcome with the facts of a terminal, before output is added. */
export function outcomeOf(terminal: TerminalFactsView): CommandOutcome {
  return {
    session: terminal.name,
    output: '',
    state: terminal.state,
    restsOn: terminal.restsOn,
    exitCode: undefined,
    leftOut: [],
    prompt: terminal.prompt,
  };
}

/** The sessions of one project, or all. */
async function entriesOf({ port, windows, refs }: TerminalContext, { project_path: path }: ListRequest) {
  const project = path === undefined ? undefined : await nearestReal(resolve(path));
  const all = (await port.list()).filter(
    ({ name, state }) => state !== 'exited' && (project === undefined || name.projectPath === project),
  );
  const given = await refs(all.map(({ id }) => id));
  return Promise.all(
    all.map(async (terminal, index) => {
      const ref = given[index];
      const isBusy = terminal.state !== 'idle';
      const place = await windows.placeOf(terminal);
      const entry: SessionEntry = {
        ...(ref === undefined ? {} : { ref }),
        session_identifier: displayName(terminal.name),
        project_path: terminal.name.projectPath,
        tag: terminal.name.tag,
        full_tab_title: sessionTitle(terminal.name, terminal),
        tty: terminal.ttyPath,
        is_busy: isBusy,
        state: terminal.state,
        ...(terminal.running === undefined ? {} : { running: terminal.running }),
        is_confined: terminal.isConfined,
        attached: terminal.attached,
        window_identifier: place?.windowIdentifier ?? null,
        tab_identifier: place?.tabIdentifier ?? null,
      };
      return { identity: terminal.name, isBusy, entry };
    }),
  );
}

/** The text of rows as they are shown, without trailing blank lines. */
export function textOfRows(rows: readonly ScreenRow[]): string {
  return revealLines(rows.flatMap(({ text, shown }) => shown ?? [text]).join('\n')).replace(/\n+$/, '');
}

/** Highlighted texts, without blank areas of colour. */
function highlightedIn({ rows }: TerminalScreen) {
  return rows
    .flatMap(({ top, parts }) =>
      parts
        .filter(({ text }) => text.trim() !== '')
        .map(({ text }) => ({ row: top + 1, text: revealLines(text.trim()) })),
    )
    .slice(0, MAX_HIGHLIGHTED);
}
