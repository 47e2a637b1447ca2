import type { CallOptions } from '../../../../ports/desktop.ts';
import { within } from '../../dbus/index.ts';
import { commandLine } from '../../process/facts.ts';
import type { AccessibilityBus } from './accessibility-bus.ts';
import { Application, isRefusal } from './application.ts';
import { ROOT_PATH } from '../tree/names.ts';

/** How long one application may take to say its name before it counts as frozen. Everybody is asked at once. */
const INTRODUCTION_MS = 800;
/** One that has kept silent for longer is not waited for again: else every list of one command would wait anew. */
const SECOND_CHANCE_MS = 60;
/** A question may be answered this late: when a frozen application goes on, it is known at once. */
const QUESTION_MS = 600_000;
/** An application that has been silent is given the usual time again after so long. */
const NEW_PATIENCE_MS = 3000;
/**
 * A silent application is asked again after this: while it starts, questions may be lost. After some of them in vain the time between two
 * doubles, for the bus keeps every unanswered question, and at 50,000 of them it serves this connection no more.
 */
const REPEAT_MS = 700;
const FREQUENT_REPEATS = 20;
const LAST_REPEAT_MS = 300_000;

/** A question that was asked and not answered yet. */
interface Question {
  readonly askedAt: number;
  readonly answered: Promise<void>;
}

/** One bus name and what is known of its owner. Names are not reused while the bus lives, so what is said once is kept. */
export class Acquaintance {
  private readonly accessibilityBus: AccessibilityBus;
  private readonly bus: string;
  private met: Promise<Application | undefined> | undefined;
  private known: Application | undefined;
  private question: Question | undefined;
  private repeats = 0;
  /** When it was first asked what it has not answered. */
  private silentSince: number | undefined;
  private patientSince = 0;

  constructor(accessibilityBus: AccessibilityBus, bus: string) {
    this.accessibilityBus = accessibilityBus;
    this.bus = bus;
  }

  get application(): Application | undefined {
    return this.known;
  }

  /** It has said who it is, and does not owe an answer that by now everybody else would have given. */
  get isFamiliar(): boolean {
    const isSilent =
      this.silentSince !== undefined && performance.now() - this.silentSince >= INTRODUCTION_MS;
    return this.isIntroduced && !isSilent;
  }

  private get isIntroduced(): boolean {
    return this.known !== undefined && this.known.toolkitName !== '';
  }

  /** The process behind the name; `undefined` when it has left, or the bus does not say in time. */
  async meet(options: CallOptions): Promise<Application | undefined> {
    if (this.known) return this.known;
    this.met ??= this.findProcess();
    return within(this.met, options).catch(() => undefined);
  }

  /** Whether it answers within `patienceMs`; without a patience, within what is usual for one that was or was not silent lately. */
  async answers(options: CallOptions, patienceMs?: number): Promise<boolean> {
    const { answered } = this.ask();
    const usualMs = Math.max(SECOND_CHANCE_MS, this.patientSince + INTRODUCTION_MS - performance.now());
    const settings = {
      deadlineMs: Math.min(patienceMs ?? usualMs, options.deadlineMs),
      signal: options.signal,
    };
    return within(answered, settings).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.known?.close();
  }

  private async findProcess(): Promise<Application | undefined> {
    const pid = await this.accessibilityBus
      .processId(this.bus, { deadlineMs: INTRODUCTION_MS })
      .catch(() => 0);
    this.met = undefined;
    if (pid === 0) return undefined;
    const facts = { name: commandName(pid), toolkitName: '', toolkitVersion: '' };
    this.known ??= new Application(this.accessibilityBus, this.bus, pid, facts);
    return this.known;
  }

  /** Everybody who wants to know waits for the same question. */
  private ask(): Question {
    const now = performance.now();
    const pending = this.question;
    if (this.silentSince === undefined || now - this.patientSince >= NEW_PATIENCE_MS) this.patientSince = now;
    const doublings = Math.max(0, this.repeats - FREQUENT_REPEATS);
    if (pending && now - pending.askedAt < Math.min(REPEAT_MS * 2 ** doublings, LAST_REPEAT_MS))
      return pending;
    if (pending) this.repeats++;
    this.silentSince ??= now;
    const question = { askedAt: now, answered: this.introduce() };
    this.question = question;
    void this.conclude(question);
    return question;
  }

  private async conclude(question: Question): Promise<void> {
    try {
      await question.answered;
      this.repeats = 0;
    } catch {
      if (this.question !== question) return;
    }
    this.question = undefined;
    this.silentSince = undefined;
  }

  /** Its name, which is also the sign of life; and its toolkit, until it has told of that. */
  private async introduce(): Promise<void> {
    const { connection } = this.accessibilityBus;
    const application = await this.meet({ deadlineMs: INTRODUCTION_MS });
    if (!application) throw new Error('It has left the bus.');
    const { templates } = application.daemonChannel;
    const settings = { deadlineMs: QUESTION_MS };
    // What it refuses to say is not known, but it lives.
    const read = (template: typeof templates.name): Promise<string> =>
      connection.invoke(template, ROOT_PATH, settings).catch((error: unknown) => {
        if (isRefusal(error)) return '';
        throw error;
      });
    const [name, toolkitName = '', toolkitVersion = ''] = await Promise.all([
      read(templates.name),
      ...(this.isIntroduced ? [] : [read(templates.toolkitName), read(templates.toolkitVersion)]),
    ]);
    application.learn({ name, toolkitName, toolkitVersion });
  }
}

function commandName(pid: number): string {
  return commandLine(pid)[0]?.split('/').pop() ?? `process ${pid}`;
}
