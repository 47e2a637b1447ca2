import { whyDestructiveCommand } from '../../model/destructive/destructive-act.ts';
import { DECISIONS, type PolicyRequest, type Verdict } from '../../model/policy/verdict.ts';
import type { CommandContext } from '../../registry/define.ts';
import { decided, type Requests } from './policy-requests.ts';

/** What would be decided otherwise if something holds that is only known when the command runs. */
export interface PolicyCase {
  /** Completes "if". */
  readonly when: string;
  readonly decision: Verdict['decision'];
  readonly rule: string;
}

/** Keys go wherever the focus is, and some dialogs take them from everywhere. */
const BY_KEYS: ReadonlySet<string> = new Set(['press', 'type', 'key-down']);
const PASSWORD_DIALOG = { name: 'pinentry' };
/** Programs in which Deskterity asks. */
const DIALOGS = /(?:^|\/)(?:kdialog|yad|zenity)$/;
const BY_NAME = 'says by its name that something is lost, sent or paid';
const CLIENT = 'a client that can ask a person calls it';

/** Parts of a call that were not given, and that it is judged by. */
export function leftOpen({ name, ruled, all }: Requests, { policy }: CommandContext): string[] {
  const [{ application, element, tool } = {}] = all;
  const { reaches, isReadOnly } = ruled;
  return [
    ...(reaches.size === 0 && (name === 'do' || name === 'workflow')
      ? ['its steps, which are judged as commands']
      : []),
    ...(reaches.has('application') && application === undefined
      ? ['the application that it reaches (app)']
      : []),
    ...(policy.judgesElements && reaches.has('element') && !isReadOnly && element === undefined
      ? ['the element that it acts on and what contains it (role, name, title)']
      : []),
    ...(tool === '' ? ['the tool (tool)'] : []),
  ];
}

/** The cases in which the decision would be another one. */
export async function otherCases(
  ctx: CommandContext,
  requests: Requests,
  usual: Verdict,
): Promise<PolicyCase[]> {
  const cases: PolicyCase[] = [];
  const add = (when: string, changes: Partial<PolicyRequest>): void => {
    const { decision, rule } = decided(
      ctx.policy,
      requests.all.map((request) => ({ ...request, ...changes })),
    );
    const isOther = DECISIONS.indexOf(decision) > DECISIONS.indexOf(usual.decision);
    if (isOther) cases.push({ when, decision, rule });
  };
  await addRelations(ctx, requests, add);
  if (requests.beyondReading !== undefined) add(`${requests.beyondReading} is given`, { isReadOnly: false });
  if (requests.ruled.isReadOnly) return cases;
  if (BY_KEYS.has(requests.name))
    add('a dialog that asks for a password, or a screen locker, is open', { application: PASSWORD_DIALOG });
  addLosses(ctx, requests, add);
  return cases;
}

type Add = (when: string, changes: Partial<PolicyRequest>) => void;

/** The program in which a caller runs, and the windows in which Deskterity asks. */
async function addRelations(
  { relatedProcesses }: CommandContext,
  { all }: Requests,
  add: Add,
): Promise<void> {
  const [{ application } = {}] = all;
  if (application === undefined) return;
  const { executable, name = '', otherNames = [] } = application;
  for (const { pid, isSurely } of (await relatedProcesses?.({
    executable,
    otherNames: [name, ...otherNames],
  })) ?? []) {
    const whose = `its window is that of process ${pid}, from which a caller of Deskterity comes`;
    add(isSurely ? whose : `${whose}, and no program between the two has a window`, {
      application: { ...application, pid, relation: 'host' },
    });
  }
  if ([executable ?? '', name].some((one) => DIALOGS.test(one)))
    add('Deskterity asks the user in its window', { application: { ...application, relation: 'own' } });
}

/** What is lost is known by what an act reaches, by what the call is given, and by what a server or a file says of a tool. */
function addLosses({ confirmation }: CommandContext, requests: Requests, add: Add): void {
  const { name, ruled, all, loses } = requests;
  const [{ element, tool } = {}] = all;
  const force = whyDestructiveCommand(name, { force: true });
  const cases: readonly (readonly [string | undefined, string, boolean])[] = [
    [loses ?? '', '', loses !== undefined],
    [force, 'force is given', force !== undefined],
    [BY_NAME, `what it presses ${BY_NAME}`, ruled.reaches.has('element') && element === undefined],
    [
      'it is said of the tool',
      'its server or its tool file says that the tool may lose something',
      tool !== undefined && loses === undefined,
    ],
  ];
  const isAsked = confirmation?.isNeeded === true;
  for (const [why = '', when, isPossible] of cases) {
    if (!isPossible) continue;
    if (when !== '') add(when, { loss: { why, isAsked } });
    // What a client can do, this caller may not.
    if (!isAsked && confirmation?.setting !== 'never')
      add([when, CLIENT].filter((part) => part !== '').join(', and '), { loss: { why, isAsked: true } });
  }
}
