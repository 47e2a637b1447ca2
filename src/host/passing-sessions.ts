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
  private readonly stores = new Map<string, SessionStore>();

  /** The store of a passing session; `undefined` for any other. */
  storeOf(folder: string, name: string): SessionStore | undefined {
    return this.stores.get(keyOf(folder, name));
  }

  open(folder: string, prefix: string): { readonly name: string; readonly forget: () => void } {
    const name = `${prefix}-${randomBytes(4).toString('hex')}`;
    const key = keyOf(folder, name);
    this.stores.set(key, createMemoryStore());
    return { name, forget: () => void this.stores.delete(key) };
  }
}

function keyOf(folder: string, name: string): string {
  return JSON.stringify([folder, name.toLowerCase()]);
}
