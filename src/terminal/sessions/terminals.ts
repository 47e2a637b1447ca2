import { DeskterityError } from '../../model/effects/errors.ts';
import type { OperationsParts } from '../../operations/operation-parts.ts';
import { readOutput } from '../../operations/output/output-reader.ts';
import { outputFolder, RETENTION } from '../../operations/record-folders.ts';
import type { EndWaits } from '../../ports/process.ts';
import type { RunRequest, TerminalFactsView, TerminalsPort } from '../../ports/terminals.ts';
import { attachTo } from './attach-terminal.ts';
import { CommandEnds } from './command-ends.ts';
import { removeLostShells } from './lost-shells.ts';
import { remoteView } from './remote-view.ts';
import { ScreenEvents } from '../desktop/screen-events.ts';
import { lostOutcome, readShown, runOutcome } from './held/shown-bytes.ts';
import { isLostTerminal, undefinedIfNotFound, unknownTerminal } from '../failures.ts';
import { writtenBytes } from '../../operations/output/output-segments.ts';
import { terminalFolder } from './terminal-folder.ts';
import { TerminalHolders } from './terminal-holders.ts';
import { factsOfRecord, removeOldTerminals, TerminalRecords } from './terminal-records.ts';

/** For a holder and a shell in it to start. */
const OPEN_LIMIT_MS = 45_000;
/** Ended terminals whose output is kept. */
const MAX_ENDED = 100;
/** Interval for removing old terminals. */
const TIDY_MS = 10 * 60_000;
/** A list of terminals does not wait longer for a holder. */
const LIST_LIMIT_MS = 3000;
/** Ending processes takes several rounds and waits for the shell. */
const ENDING_ROUNDS = 8;
const ENDING_EXTRA_MS = 15_000;
/** What the state of a terminal rests on whose holder was killed. */
const LOST = 'its holder was killed';

/** Terminals for the daemon: holders keep them and outlive it; their output is read from disk. */
export function createTerminals(parts: OperationsParts): TerminalsPort {
  const records = new TerminalRecords(parts.stateFolder, parts.identity);
  const holders = new TerminalHolders(parts, records);
  const events = new ScreenEvents(holders);
  const ends = new CommandEnds(holders, records);
  const folderOf = (id: string) => outputFolder(terminalFolder(parts.stateFolder, id));

  let tidyAt = Number.NEGATIVE_INFINITY;

  const tidy = () => {
    const now = performance.now();
    if (now < tidyAt) return;
    tidyAt = now + TIDY_MS;
    removeOldTerminals(records, { ...RETENTION, maxCount: MAX_ENDED }).catch(() => undefined);
  };

  const facts = (id: string) => holders.ask(id, { do: 'facts', terminal: id });

  const list = async (): Promise<readonly TerminalFactsView[]> => {
    const living = await records.living();
    const sockets = [...new Set(living.map(({ holder }) => holder.socket))];
    const answers = await Promise.all(
      sockets.map((socket) =>
        holders.askAt(socket, { do: 'list' }, LIST_LIMIT_MS).then(
          ({ terminals }) => terminals,
          () => undefined,
        ),
      ),
    );
    const reported = answers.flatMap((each) => each ?? []);
    const silentSockets = new Set(sockets.filter((_, index) => answers[index] === undefined));
    const silentFacts = living.filter(({ holder }) => silentSockets.has(holder.socket)).map(factsOfRecord);
    return [...reported, ...silentFacts].toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
  };

  const run = async (id: string, request: RunRequest, signal: AbortSignal) => {
    const limitMs = request.waitMs + endingLimitMs(request.interrupt);
    const folder = folderOf(id);
    const cancelled = cancelledBy(signal);
    const begun = performance.now();
    // Where its output begins, should the holder be killed before it says so.
    const { merged: from = 0 } = writtenBytes(folder);
    try {
      const answer = await holders.ask(id, { do: 'run', terminal: id, request }, limitMs, cancelled.signal);
      return await runOutcome(answer, folder, request.lines);
    } catch (error) {
      const record = isLostTerminal(error) ? await records.read(id) : undefined;
      if (record === undefined) throw error;
      const terminal = { ...factsOfRecord(record), state: 'exited', restsOn: [LOST] } as const;
      return lostOutcome({ terminal, from, durationMs: performance.now() - begun }, folder, request.lines);
    } finally {
      cancelled.release();
    }
  };

  return {
    ownerOf: async (id) => (await records.find(id)).owner,
    list,
    find: async (name) => {
      const record = await records.named(name);
      return record === undefined ? undefined : facts(record.terminal_id).catch(undefinedIfNotFound);
    },
    remains: async (name) => {
      const record = await records.latest(name);
      if (record === undefined || !records.hasRemains(record)) return undefined;
      return { id: record.terminal_id, isConfined: record.sandbox !== 'none' };
    },
    open: async (start) => {
      // Before old records are removed, which tell where these files are.
      await removeLostShells(records);
      tidy();
      const opened = await holders.open(start, OPEN_LIMIT_MS);
      ends.follow(opened.id);
      return opened;
    },
    facts,
    run,
    lines: (id, most) => holders.ask(id, { do: 'lines', terminal: id, most }),
    output: async (id, query) => {
      const record = await records.find(id);
      const isComplete = !records.isLiving(record);
      const part = await readOutput({ folder: folderOf(id), kind: 'merged', isComplete }, query);
      const { problem } = record;
      return problem === undefined ? part : { ...part, left_out: [...part.left_out, problem] };
    },
    bytes: async (id, { from, to }) => {
      await records.find(id);
      const kept = await readShown(folderOf(id), from, to);
      if (kept.from === from && kept.bytes.length === to - from) return kept.bytes;
      throw notKept(from, to);
    },
    kill: async (id, waits) =>
      (await holders.ask(id, { do: 'kill', terminal: id, waits }, endingLimitMs(waits))).count,
    clear: async (id) => {
      await holders.ask(id, { do: 'clear', terminal: id });
    },
    close: async (id, waits) => {
      const record = await records.find(id);
      if (records.isLiving(record)) {
        await holders.ask(id, { do: 'close', terminal: id, waits }, endingLimitMs(waits));
      } else if (records.hasRemains(record)) {
        if (records.mayHaveLeft(record)) await holders.endLeftovers(record);
        await removeLostShells(records);
        records.noteClosed(record);
      } else throw unknownTerminal(id);
    },
    view: async (id) => remoteView(holders, events, await facts(id)),
    attach: async (id, options) => attachTo(holders, parts.stateFolder, id, options),
    onCommandEnd: (listener) => ends.add(listener),
  };
}

function endingLimitMs(waits: EndWaits | undefined): number {
  return ENDING_ROUNDS * ((waits?.interruptMs ?? 0) + (waits?.terminateMs ?? 0)) + 2 * ENDING_EXTRA_MS;
}

/** A signal that aborts with a CANCELLED error. To be released when it is of no more use: Node keeps signals that are listened to. */
function cancelledBy(signal: AbortSignal): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const stop = () =>
    controller.abort(
      new DeskterityError(
        'CANCELLED',
        'Waiting for the command was cancelled; it continues if it has started.',
        {
          suggestion: 'Read its output or end it with kill.',
        },
      ),
    );
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return { signal: controller.signal, release: () => signal.removeEventListener('abort', stop) };
}

function notKept(from: number, to: number): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `Bytes ${from} to ${to} of the output are not all available.`, {
    suggestion: 'Read the output, which reports missing parts.',
  });
}
