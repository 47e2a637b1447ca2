import { afterCheck } from '../../model/after-check.ts';
import type { Policy, Verdict } from '../../model/policy/verdict.ts';
import { quoteClipped, clip } from '../../model/text/untrusted-text.ts';
import { overlay } from '../../model/overlay.ts';
import type { TerminalFactsView, TerminalName, TerminalsPort, TerminalView } from '../../ports/terminals.ts';
import { hasConsent } from '../current-policy.ts';
import { policyDenied } from '../policy-error.ts';

const MOST_KNOWN = 2000;
const LONGEST_SHOWN = 200;

/** Terminals of which those of denied projects can be neither read nor used, whatever way leads to them. */
export function guardedTerminals(port: TerminalsPort, policyNow: () => Policy | undefined): TerminalsPort {
  /** Ids are never given to another terminal. */
  const projects = new Map<string, string>();
  const remember = (id: string, { projectPath }: TerminalName): void => {
    const [oldest] = projects.keys();
    if (projects.size >= MOST_KNOWN && oldest !== undefined) projects.delete(oldest);
    projects.set(id, projectPath);
  };
  const verdictOf = (terminalProject: string, isReadOnly: boolean): Verdict | undefined =>
    policyNow()?.decide(isReadOnly ? { terminalProject, isReadOnly } : { terminalProject });
  const requireProject = (project: string, isReadOnly: boolean): void => {
    const verdict = verdictOf(project, isReadOnly);
    if (verdict === undefined || verdict.decision === 'allow') return;
    const what = `terminals of ${quoteClipped(clip(project, LONGEST_SHOWN))}`;
    if (verdict.decision === 'confirm' && (isReadOnly || hasConsent(`use the ${what}`, verdict, 'command')))
      return;
    throw policyDenied(what, verdict);
  };
  const projectOf = async (id: string): Promise<string> => {
    if (!projects.has(id)) remember(id, (await port.facts(id)).name);
    return projects.get(id) ?? '';
  };
  const read = async (id: string): Promise<void> => requireProject(await projectOf(id), true);
  const act = async (id: string): Promise<void> => requireProject(await projectOf(id), false);
  const [toRead, toAct] = [afterCheck(read), afterCheck(act)];
  const isShown = ({ id, name }: TerminalFactsView): boolean => {
    remember(id, name);
    return verdictOf(name.projectPath, true)?.decision !== 'deny';
  };
  return {
    ownerOf: (id) => port.ownerOf(id),
    list: async () => (await port.list()).filter(isShown),
    find: async (name) => {
      requireProject(name.projectPath, true);
      const found = await port.find(name);
      if (found !== undefined) remember(found.id, name);
      return found;
    },
    remains: async (name) => {
      const found = await port.remains(name);
      if (found !== undefined) remember(found.id, name);
      return found;
    },
    open: async (start) => {
      requireProject(start.name.projectPath, false);
      return port.open(start);
    },
    facts: toRead(port.facts.bind(port)),
    run: toAct(port.run.bind(port)),
    lines: toRead(port.lines.bind(port)),
    output: toRead(port.output.bind(port)),
    bytes: toRead(port.bytes.bind(port)),
    kill: toAct(port.kill.bind(port)),
    clear: toAct(port.clear.bind(port)),
    close: toAct(port.close.bind(port)),
    view: async (id) => {
      await read(id);
      return guardedView(await port.view(id), { read: () => read(id), act: () => act(id) });
    },
    attach: toAct(port.attach.bind(port)),
    onCommandEnd: (listener) =>
      port.onCommandEnd((ended) => {
        if (isShown(ended.terminal)) listener(ended);
      }),
  };
}

function guardedView(
  view: TerminalView,
  { read, act }: { readonly read: () => Promise<void>; readonly act: () => Promise<void> },
): TerminalView {
  return overlay<TerminalView, 'id' | 'name' | 'pid' | 'watch' | 'isAlive'>(
    view,
    ['id', 'name', 'pid', 'watch', 'isAlive'],
    {
      read: async (options) => {
        await read();
        return view.read(options);
      },
      write: async (bytes, options) => {
        await act();
        await view.write(bytes, options);
      },
      resize: async (size, options) => {
        await act();
        await view.resize(size, options);
      },
    },
  );
}
