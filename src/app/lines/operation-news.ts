import { isOver } from '../../model/tools/operation-status.ts';
import { FinishedOperation } from '../../model/tools/operation-answer.ts';
import type { OperationView } from '../../ports/operations.ts';

/** Sessions that never ask again must not fill the memory. */
const MOST_UNTOLD = 200;

/** Operations that ended since whoever started them was last answered. */
export class OperationNews {
  private readonly untold = new Map<string, OperationView>();

  ended(view: OperationView): void {
    this.untold.set(view.operation_id, view);
    const [oldest] = this.untold.keys();
    if (this.untold.size > MOST_UNTOLD && oldest !== undefined) this.untold.delete(oldest);
  }

  /** What to tell a session with this answer, which itself may have told some of it. */
  take(session: string, answer: Readonly<Record<string, unknown>>): readonly FinishedOperation[] {
    for (const id of toldBy(answer)) this.untold.delete(id);
    const news = [...this.untold.values()].filter((view) => view.session === session);
    for (const { operation_id: id } of news) this.untold.delete(id);
    return news.map((view) => FinishedOperation.parse(view));
  }
}

/** Operations whose end an answer says. */
function toldBy(answer: Readonly<Record<string, unknown>>): readonly string[] {
  const { operations } = answer;
  return [answer, ...(Array.isArray(operations) ? operations : [])].flatMap((part: unknown) => {
    const { data } = FinishedOperation.safeParse(part);
    return data !== undefined && isOver(data.status) ? [data.operation_id] : [];
  });
}
