/** What it costs to judge a request by the rules of a policy file. */
import { commands } from '../../src/commands/index.generated.ts';
import { requestOf } from '../../src/model/policy/request-of.ts';
import type { Policy, PolicyRequest } from '../../src/model/policy/verdict.ts';
import { readPolicy, type FoundPolicy } from '../../src/policy/reading/read-policy.ts';
import { ruledCommands } from '../../src/registry/ruled-commands.ts';
import { median, percentile, rounded, type Figure } from './figures.ts';

const COUNTS = [20, 500] as const;
const TURNS = 2000;
const MOST_MS = 0.2;

/** A rule of each kind in turn; none of them is about the requests, so that all are compared. */
const KINDS: readonly ((index: number) => Record<string, unknown>)[] = [
  (index) => ({ decision: 'deny', application: `vendor-${index}-*` }),
  (index) => ({ decision: 'confirm', role: 'button', element: `*delete account ${index}*` }),
  (index) => ({ decision: 'deny', application: { regex: `^/opt/(acme|bank)-${index}/[a-z]+/bin/.*$` } }),
  (index) => ({
    decision: 'confirm',
    application: { executable: `/opt/app-${index}/run` },
    command: 'click',
  }),
  (index) => ({
    decision: 'deny',
    locator: `window:"Settings ${index}" >> role:button[name~="^(send|pay) ${index}"]`,
  }),
  (index) => ({ decision: 'deny', terminal: `/srv/projects/secret-${index}` }),
  (index) => ({ decision: 'confirm', tool: `server${index}__*` }),
  () => ({ decision: 'confirm', command: 'session kill' }),
  (index) => ({ decision: 'deny', application: { desktop_file: `org.example.App${index}` } }),
  (index) => ({ decision: 'deny', application: { name: `Vault ${index}` } }),
];

const CLICK = requestOf({ name: 'click', kind: 'act', group: 'interaction', isReadOnly: false });
const APPLICATION = { name: 'Mousepad', program: 'mousepad', executable: '/usr/bin/mousepad', pid: 4711 };
const ELEMENT = { role: 'button', name: 'Save the document as', window: 'Untitled 1 - Mousepad' } as const;

/** What is asked on the way of one click, and of one command in a terminal. */
const REQUESTS: Readonly<Record<string, (turn: number) => PolicyRequest>> = {
  'a command': () => CLICK,
  'an application that was not asked about before': newApplication,
  'an application that was asked about before': () => newApplication(0),
  'an element': () => ({ ...CLICK, application: APPLICATION, element: ELEMENT, concerning: 'element' }),
  'a terminal': () => ({ terminalProject: '/home/ada/projects/app', concerning: 'terminal' }),
};

function newApplication(turn: number): PolicyRequest {
  return { ...CLICK, application: { ...APPLICATION, pid: 4711 + turn }, concerning: 'application' };
}

/** The worst for expressions: each is tried at each character. */
const searching = (index: number) => ({
  decision: 'deny',
  application: { regex: `(acme|bank|vault)[a-z0-9-]*${index}.*(key|pass)` },
});

function fileWith(count: number, kinds = KINDS): FoundPolicy {
  const rule = Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.(index));
  return { path: '/policy.toml', file: { table: { rule } }, isOfProject: false };
}

function policyOf(file: FoundPolicy): Policy {
  return readPolicy([file], {}, { commands: ruledCommands(commands) });
}

export function ruleFigures(): Figure[] {
  const judged = COUNTS.flatMap((count) => {
    const policy = policyOf(fileWith(count));
    return Object.entries(REQUESTS).map(([what, request]) => {
      const times = timed((turn) => requireAllowed(policy, request(turn)));
      const value = rounded(median(times), 4);
      return {
        what: `${what}, judged by ${count} rules, p95 ${rounded(percentile(times, 0.95), 4)} ms`,
        value,
        unit: 'ms',
        goal: `< ${MOST_MS}`,
        met: value < MOST_MS,
      };
    });
  });
  const [, most] = COUNTS;
  const file = fileWith(most);
  policyOf(file);
  const opened = timed(() => void policyOf(file));
  const searched = policyOf(fileWith(most, [searching]));
  const found = timed((turn) => requireAllowed(searched, newApplication(turn)));
  return [
    ...judged,
    {
      what: `the policy of a call, from a file with ${most} rules that was read before`,
      value: rounded(median(opened), 4),
      unit: 'ms',
    },
    {
      what: `an application that was not asked about before, judged by ${most} expressions that are searched in every name`,
      value: rounded(median(found), 4),
      unit: 'ms',
      note: 'rules that begin with ^, patterns and paths are quicker',
    },
  ];
}

function requireAllowed(policy: Policy, request: PolicyRequest): void {
  if (policy.decide(request).decision !== 'allow')
    throw new Error(`${JSON.stringify(request)} is not allowed`);
}

function timed(what: (turn: number) => void): number[] {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const began = performance.now();
    what(turn);
    times.push(performance.now() - began);
  }
  return times;
}
