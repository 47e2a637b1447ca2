import { AsyncLocalStorage } from 'node:async_hooks';
import {
  DECISIONS,
  type Concern,
  type Policy,
  type PolicyRequest,
  type Verdict,
} from '../model/policy/verdict.ts';
import type { PictureConsent } from '../model/effects/picture-consent.ts';
import { strictestMode } from './rules/modes.ts';

/** What is being done, for what is judged on the way. */
export interface PolicyCall {
  readonly policy: Policy;
  /** What it began may go on when it is over: connections, watches, pages. */
  readonly span?: { isOver: boolean } | undefined;
  /** How pictures are to be taken. */
  readonly pictureConsent?: PictureConsent | undefined;
  /** The command, which was judged when it began. */
  readonly command?: Pick<PolicyRequest, 'command' | 'isReadOnly'> | undefined;
  /** Asks a person for consent. @throws DeskterityError CONFIRMATION_REQUIRED */
  readonly ask?: ((what: string, verdict: Verdict, about: unknown) => void) | undefined;
}

const calls = new AsyncLocalStorage<PolicyCall>();
/** For what goes on between calls, such as keeping a journal. */
let latest: Policy | undefined;

/** Runs a call under its policy, with everything that it awaits. */
export async function underPolicy<T>(
  policy: Policy,
  call: () => Promise<T>,
  pictureConsent?: PictureConsent,
): Promise<T> {
  latest = policy;
  const span = { isOver: false };
  try {
    return await calls.run({ policy, span, pictureConsent }, call);
  } finally {
    span.isOver = true;
  }
}

/** Runs a command, which is known to what is judged on the way. */
export async function withinCommand<T>(
  { ask, ...call }: Omit<PolicyCall, 'span' | 'pictureConsent'>,
  run: () => Promise<T>,
): Promise<T> {
  const { span, pictureConsent } = calls.getStore() ?? {};
  const within: PolicyCall & { ask?: PolicyCall['ask'] } = { ...call, span, pictureConsent, ask };
  try {
    return await calls.run(within, run);
  } finally {
    // Connections and processes that the command started keep this object for as long as they live, and `ask` refers to the whole call.
    delete within.ask;
  }
}

/**
 * The policy of this call; between calls that of the last one. What a call began and left behind, such as a page that shows a desktop, may do what both
 * allow: the rules may have been tightened since. It knows which command is running, and judges what that reaches by the rules that are about that.
 */
export function currentPolicy(): Policy | undefined {
  const call = calls.getStore();
  if (call === undefined) return latest;
  const { command, span } = call;
  const policy = span?.isOver === true ? bothOf(call.policy, latest) : call.policy;
  return knowingCommand(policy, command);
}

/** How pictures are to be taken for this call; between calls, nobody said so. */
export function currentPictureConsent(): PictureConsent | undefined {
  return calls.getStore()?.pictureConsent;
}

/** A policy that is asked on the way of a command, by what that reaches. */
export function knowingCommand(policy: Policy, command: PolicyCall['command']): Policy {
  return { ...policy, decide: (request) => policy.decide(laterRequest(request, command)) };
}

/** For what is done for a call when it is over, such as taking the picture for a question about it. */
export function asPartOfCall<T>(run: () => T): () => T {
  const call = calls.getStore();
  return () => (call === undefined ? run() : calls.run(call, run));
}

/** What is asked on the way, of a command that was judged already. */
export function laterRequest(request: PolicyRequest, command: PolicyCall['command']): PolicyRequest {
  const concerning = request.concerning ?? concernIn(request);
  return concerning === undefined ? request : { ...command, ...request, concerning };
}

function concernIn({ command, application, element, terminalProject }: PolicyRequest): Concern | undefined {
  if (command !== undefined) return undefined;
  if (element !== undefined) return 'element';
  if (application !== undefined) return 'application';
  return terminalProject === undefined ? undefined : 'terminal';
}

/**
 * Whether what needs consent may go on: it only reads, or a person agreed. @throws DeskterityError CONFIRMATION_REQUIRED if a person can be asked
 */
export function hasConsent(what: string, verdict: Verdict, about: unknown): boolean {
  const call = calls.getStore();
  // Nobody waits for the answer of a call that is over.
  if (call === undefined || call.span?.isOver === true) return false;
  if (call.command?.isReadOnly === true) return true;
  if (call.ask === undefined) return false;
  call.ask(what, verdict, about);
  return true;
}

/**
 * For what is told from outside, later and again: it would find the policy of whichever call opened the connection. The function that is returned runs
 * what it is given under the policy of now, and of the last call by then, and takes pictures as the call of now wants them.
 */
export function keepPolicy(): (listener: () => void) => void {
  const then = currentPolicy();
  const pictureConsent = currentPictureConsent();
  return (listener) => {
    const both = then === undefined ? latest : bothOf(then, latest);
    if (both === undefined) listener();
    else calls.run({ policy: both, pictureConsent }, listener);
  };
}

/** Allows what both allow. */
function bothOf(one: Policy, other: Policy | undefined): Policy {
  if (other === undefined || other === one) return one;
  return {
    mode: strictestMode([one, other]),
    lists: [...one.lists, ...other.lists],
    unattended: one.unattended ?? other.unattended,
    problem: one.problem ?? other.problem,
    judgesElements: one.judgesElements || other.judgesElements,
    decide: (request) => {
      const [first, second] = [one.decide(request), other.decide(request)];
      return DECISIONS.indexOf(second.decision) > DECISIONS.indexOf(first.decision) ? second : first;
    },
  };
}
