import type { Place } from '../harness.ts';
import { Found } from './answers.ts';
import type { Reply } from './reply.ts';
import { namesOf } from './reading-checks.ts';
import type { Named, Subject } from './subjects.ts';

/** One application, and the program that reads it. */
export class Reader {
  readonly place: Place;
  readonly subject: Subject;

  constructor(place: Place, subject: Subject) {
    this.place = place;
    this.subject = subject;
  }

  /** What `--app` takes. */
  get app(): string {
    return String(this.subject.pid);
  }

  desk(...args: string[]): Promise<Reply> {
    return this.place.desk(args);
  }

  async refOf({ role, name }: Named): Promise<string> {
    const found = await this.desk('find', name, '--app', this.app, '--role', role, '--exact');
    const [match] = found.ok(Found).matches.filter((candidate) => namesOf(candidate).includes(name));
    if (match?.ref === undefined) throw new Error(`no ${role} ${name}: ${found.toString()}`);
    return match.ref;
  }
}
