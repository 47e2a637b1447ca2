import type { TerminalAnswer, SessionEntry } from '../../model/terminals/terminal-answer.ts';
import type { ScreenRow, TerminalScreen } from '../../model/terminals/terminal-screen.ts';
import { revealLines } from '../../model/text/untrusted-text.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';
import { invalid } from '../../terminal/use-cases/coerce-parameter.ts';
import {
  infoAnswer,
  listAnswer,
  outputAnswer,
  readAnswer,
  screenAnswer,
} from '../../terminal/use-cases/terminal-answer.ts';
import type { CommandOutcome } from '../../terminal/use-cases/terminal-answer.ts';
import { displayName } from '../../terminal/use-cases/terminal-identity.ts';
import { settingsInWords } from '../../terminal/use-cases/terminal-settings.ts';
import { sessionTitle } from '../../terminal/windows/terminal-title.ts';
import { projectFolder } from './start-terminal.ts';
import type { TerminalDesk } from './terminal-calls.ts';
import { requireTerminal } from './terminal-sessions.ts';

const LOOK_MS = 5000;
/** As for the output of operations. */
const USUAL_TOKENS = 4000;
const CONTEXT_LINES = 2;
const MOST_HIGHLIGHTED = 20;

/** The last lines that are shown. */
export async function readLines(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { port, call } = desk;
  const { id } = await requireTerminal(port, call);
  const [{ text, leftOut }, terminal] = await Promise.all([port.lines(id, call.lines), port.facts(id)]);
  return readAnswer(desk.setting, { ...outcomeOf(terminal), output: text, leftOut });
}

/** The screen as it is. */
export async function readScreen(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { port, call, signal } = desk;
  const { id } = await requireTerminal(port, call);
  const view = await port.view(id);
  const [{ screen }, terminal] = await Promise.all([
    view.read({ scrollbackLines: 0, deadlineMs: LOOK_MS, signal }),
    port.facts(id),
  ]);
  const { size, cursor } = screen;
  return screenAnswer(
    desk.setting,
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

/** A part of all that was shown. */
export async function readOutput(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { port, call } = desk;
  const { cursor, pattern, saidLines: tail, maxTokens = USUAL_TOKENS, ignoreCase } = call;
  if ([cursor, pattern, tail].filter((way) => way !== undefined).length > 1)
    throw invalid("Only one of 'cursor', 'lines' and 'pattern' can be given.", 'Leave the others out.');
  const terminal = await requireTerminal(port, call);
  const part = await port.output(terminal.id, {
    cursor,
    tail,
    pattern,
    ignoreCase,
    context: CONTEXT_LINES,
    maxTokens,
  });
  return outputAnswer(
    desk.setting,
    { ...outcomeOf(terminal), output: part.text, leftOut: part.left_out },
    { nextCursor: part.next_cursor, totalBytes: part.total_bytes, totalLines: part.total_lines },
  );
}

export async function listTerminals(desk: TerminalDesk): Promise<TerminalAnswer> {
  return listAnswer(await entriesOf(desk));
}

export async function tellOfTerminals(desk: TerminalDesk): Promise<TerminalAnswer> {
  const { settings, stage, version } = desk;
  const [app, entries] = await Promise.all([stage.application(), entriesOf(desk)]);
  return infoAnswer(
    {
      version,
      app: app ?? 'none',
      grouping: settings.windowGrouping,
      logLevel: settings.logLevel,
    },
    settingsInWords(settings),
    entries,
  );
}

/** Of a terminal, as far as no command has just been run in it. */
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

/** Those of the project that is named, or all. */
async function entriesOf({ port, call, stage, refs }: TerminalDesk) {
  const project = call.projectPath === undefined ? undefined : await projectFolder(call.projectPath, false);
  const all = (await port.list()).filter(
    ({ name, state }) => state !== 'exited' && (project === undefined || name.projectPath === project),
  );
  const given = await refs(all.map(({ id }) => id));
  return Promise.all(
    all.map(async (terminal, index) => {
      const ref = given[index];
      const isBusy = terminal.state !== 'idle';
      const place = await stage.placeOf(terminal);
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

/** Without blanks at their ends and without blank lines at the end. */
export function textOfRows(rows: readonly ScreenRow[]): string {
  return revealLines(rows.map(({ text }) => text).join('\n')).replace(/\n+$/, '');
}

/** What stands out, but for whole blocks of colour: there nothing is chosen. */
function highlightedIn({ rows }: TerminalScreen) {
  return rows
    .flatMap(({ top, parts }) =>
      parts
        .filter(({ text }) => text.trim() !== '')
        .map(({ text }) => ({ row: top + 1, text: revealLines(text.trim()) })),
    )
    .slice(0, MOST_HIGHLIGHTED);
}
