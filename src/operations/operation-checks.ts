import { byPerson, mentionCommand } from '../model/text/mention.ts';
import type { Configuration } from '../model/configuration/config.ts';
import { TrialFailure, type Trial } from '../model/effects/trial.ts';
import type { Caller } from '../model/sessions/caller.ts';
import { clip, quote } from '../model/text/untrusted-text.ts';
import { CHECK } from '../model/tools/operation.ts';
import type { OperationsPort } from '../ports/operations.ts';
import { plainSandbox, type RunsPort } from '../ports/runs.ts';
import type { SandboxFinding, SandboxPort } from '../ports/sandbox.ts';
import { confinedBy } from './confinement/confine.ts';
import { availableMethod } from './confinement/sandbox-selector.ts';

export interface OperationCheckParts {
  readonly caller: Caller;
  readonly configuration: Configuration;
  readonly sandbox: () => Promise<SandboxPort>;
  readonly runs: () => Promise<RunsPort>;
  readonly operations: () => Promise<OperationsPort>;
  /** Resident memory of a process; `undefined` if it does not exist. */
  readonly memoryOf: (pid: number) => Promise<number | undefined>;
}

const PRINTED = 'deskterity';
/** For the test command; starting its holder comes before. */
const COMMAND_MS = 5000;
const LONGEST_SHOWN = 40;

/** Tests whether programs are confined as this caller's settings require. @throws TrialFailure */
export async function trySandbox(
  { caller, configuration, sandbox }: OperationCheckParts,
  trial: Trial,
): Promise<string> {
  const port = await sandbox();
  const asked = confinedBy(caller, configuration, port.preferred);
  if (asked === 'none')
    throw new TrialFailure(
      'refused',
      'It is turned off: commands can do everything that you can.',
      `${byPerson('Remove --no-sandbox and AHMA_NO_SANDBOX, and set sandbox.mode to "auto"')}.`,
    );
  trial.step('start a confined program that tries forbidden actions');
  const { sandboxes, isNested } = await port.level();
  const by = availableMethod({ sandboxes }, { asked, isOpen: configuration.sandbox.mode === 'auto' });
  const at = sandboxes.findIndex(({ name }) => name === by);
  const used = sandboxes[at];
  const nested = isNested ? ['Deskterity itself runs in a sandbox.'] : [];
  if (used?.works !== true) throw notConfined(sandboxes, used, nested);
  const first = sandboxes.find(({ name }) => name === asked);
  const instead =
    by === asked || first === undefined
      ? []
      : [
          `It is used because ${first.title} does not work.`,
          ...(first.reason === undefined ? [] : [first.reason]),
        ];
  const others = sandboxes
    .slice(at + 1)
    .map(({ title, works, reason }) =>
      works ? `${title} works too.` : (reason ?? `${title} does not work.`),
    );
  const detail = used.detail === undefined ? [] : [used.detail];
  return [...detail, ...instead, ...others, used.leavesOpen, ...nested].join(' ');
}

function notConfined(
  sandboxes: readonly SandboxFinding[],
  used: SandboxFinding | undefined,
  nested: readonly string[],
): TrialFailure {
  const other = sandboxes.find(({ works }) => works);
  const mode = other === sandboxes[0] ? 'auto' : other?.name;
  const instead = other && `${other.title} works here: set sandbox.mode to "${mode}".`;
  const ways = [instead, used?.instruction].filter((way) => way !== undefined);
  const reason = used?.reason ?? 'It does not work.';
  return new TrialFailure(
    'refused',
    ['Nothing is run without a sandbox.', reason, ...nested].join(' '),
    ways.join(' Or: '),
  );
}

/** Runs a command through all parts: the holder, a worker and the output on disk. @throws TrialFailure */
export async function tryOperation(parts: OperationCheckParts, trial: Trial): Promise<string> {
  trial.step('find the folder that commands are confined to');
  const runs = await parts.runs();
  trial.step('start a command');
  const operations = await parts.operations();
  const { operation_id: id, holder } = await runs.start({
    tool: CHECK,
    steps: [
      {
        command: ['/bin/sh', '-c', `echo ${PRINTED}`],
        cwd: runs.scope,
        delayMs: 0,
        sandbox: plainSandbox(runs.scope),
      },
    ],
    timeoutMs: COMMAND_MS,
  });
  trial.step('wait for its end');
  const { status, exit_code: code } = await operations.wait(id, {
    timeoutMs: COMMAND_MS,
    signal: trial.signal ?? new AbortController().signal,
  });
  if (status !== 'succeeded')
    throw new TrialFailure(
      'broken',
      `It ${status.replace('_', ' ')}${code === undefined ? '' : ` with exit code ${code}`}.`,
      `See ${mentionCommand('operation output', { operation_id: id })}.`,
    );
  trial.step('read what it wrote');
  const { text } = await operations.read(id, { cursor: 0, maxTokens: 500 });
  if (text.trim() !== PRINTED)
    throw new TrialFailure(
      'broken',
      `It wrote ${quote(PRINTED)}, but ${quote(clip(text, LONGEST_SHOWN))} was read.`,
    );
  const bytes = await parts.memoryOf(holder.pid);
  const size = bytes === undefined ? '' : `, ${Math.round(bytes / 1024 / 1024)} MiB`;
  return `A command ran in ${quote(runs.scope)}, and its output was read. Process ${holder.pid}${size} runs the operations of this folder, even after the daemon exits.`;
}
