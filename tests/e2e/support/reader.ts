import type { Place } from '../harness.ts';
import { Found, GotBounds } from './answers.ts';
import type { Named } from './form.ts';
import type { Reply } from './reply.ts';
import { namesOf } from './reading-checks.ts';
import { declined } from './results.ts';
import { type Subject } from './subjects.ts';
import { until } from '../../until.ts';
import { Talk } from './talk.ts';

/** How long an application may take to record an event. */
const RECORDED_MS = 8000;
/** Time in which an act that was reported as having no effect could still have one. */
const LATE_MS = 300;

/** One application, and the program that reads and operates it. */
export class Reader {
  readonly place: Place;
  readonly subject: Subject;
  /** Values that one check leaves for a later one. */
  readonly refs = new Map<string, string>();
  private readonly talk: Talk;

  constructor(place: Place, subject: Subject) {
    this.place = place;
    this.subject = subject;
    this.talk = new Talk(place);
  }

  /** The value for `--app`. */
  get app(): string {
    return String(this.subject.pid);
  }

  /** Runs the program as a new process. */
  desk(...args: string[]): Promise<Reply> {
    return this.place.desk(args);
  }

  /** Calls the program that keeps running. */
  say(...args: string[]): Promise<Reply> {
    return this.talk.say(...args);
  }

  async stop(): Promise<void> {
    this.talk.end();
    await this.subject.stop();
  }

  /** A reference names the same element for as long as that exists, so each is looked up once. Elements of Calc exist only for moments. */
  async refOf({ role, name }: Named): Promise<string> {
    const known = this.refs.get(`${role} ${name}`);
    if (known !== undefined) return known;
    const words = name === '' ? [] : [name, '--exact'];
    const found = await this.say('find', ...words, '--app', this.app, '--role', role);
    const [match] = found.ok(Found).matches.filter((each) => name === '' || namesOf(each).includes(name));
    if (match?.ref === undefined) throw new Error(`no ${role} ${name}: ${found.toString()}`);
    if (this.subject.document === undefined) this.refs.set(`${role} ${name}`, match.ref);
    return match.ref;
  }

  async boundsOf(ref: string) {
    return (await this.say('get', 'bounds', ref)).ok(GotBounds).value;
  }

  /** The centre of an element on the screen, as arguments of `mouse move`. */
  async middleOf(ref: string): Promise<[string, string]> {
    const { x, y, width, height } = await this.boundsOf(ref);
    return [String(Math.round(x + width / 2)), String(Math.round(y + height / 2))];
  }

  /** Runs a command and compares its answer with the application's record, which `happened` reads. */
  async performs(args: readonly string[], happened: () => Promise<boolean>): Promise<Reply> {
    const reply = await this.say(...args);
    if (reply.exitCode === 0) {
      const effect = /"effect":"(\w+)"/.exec(reply.stdout)?.[1];
      await until(happened, `a record of desk ${args.join(' ')} (${effect})`, RECORDED_MS);
      return reply;
    }
    if (reply.stdout.includes('"delivered":true')) await new Promise((done) => setTimeout(done, LATE_MS));
    if (await happened()) throw new Error(`it was reported as failed, but it happened: ${reply.toString()}`);
    return declined(reply);
  }
}
