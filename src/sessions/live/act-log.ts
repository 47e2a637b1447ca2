import type { ShownAct } from '../../model/sessions/shown-act.ts';

const MOST = 12;

/** The last acts of a session, for those who watch it. */
export class ActLog {
  private acts: readonly ShownAct[] = [];
  private readonly listeners = new Set<(act: ShownAct) => void>();

  /** Oldest first. */
  get recent(): readonly ShownAct[] {
    return this.acts;
  }

  add(act: ShownAct): void {
    const isKnown = this.acts.some(({ id }) => id === act.id);
    this.acts = isKnown
      ? this.acts.map((known) => (known.id === act.id ? act : known))
      : [...this.acts, act].slice(-MOST);
    for (const listener of this.listeners) listener(act);
  }

  /** Calls `listener` for each report until the returned function is called. */
  onAdd(listener: (act: ShownAct) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
