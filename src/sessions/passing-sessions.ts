import { randomBytes } from 'node:crypto';
import type { SessionStore } from '../ports/session-store.ts';
import { createMemoryStore } from './memory-store.ts';

/** A session that lasts as long as somebody's connection. */
export interface PassingSession {
  readonly name: string;
  /** Ends it with its references and its private desktop. Never rejects. */
  end(): Promise<void>;
}

/** The sessions that no file remembers, by state folder and name. */
export class PassingSessions {
  private readonly open = new Map<
    string,
    { readonly store: SessionStore; readonly beside: string | undefined }
  >();

  /** The store of a passing session; `undefined` for any other. */
  storeOf(folder: string, name: string): SessionStore | undefined {
    return this.open.get(keyOf(folder, name))?.store;
  }

  /** The session on whose desktop a passing session looks. */
  besideOf(folder: string, name: string): string | undefined {
    return this.open.get(keyOf(folder, name))?.beside;
  }

  /** `beside`: a session whose desktop it shares, private or not. */
  start(
    folder: string,
    prefix: string,
    beside?: string,
  ): { readonly name: string; readonly forget: () => void } {
    const name = `${prefix}-${randomBytes(4).toString('hex')}`;
    const key = keyOf(folder, name);
    this.open.set(key, { store: createMemoryStore(), beside });
    return { name, forget: () => void this.open.delete(key) };
  }
}

function keyOf(folder: string, name: string): string {
  return JSON.stringify([folder, name.toLowerCase()]);
}
