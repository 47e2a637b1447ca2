import type { SessionStore } from '../ports/session-store.ts';

/** A session that is kept for as long as its process lives. */
export function createMemoryStore(): SessionStore {
  const documents = new Map<string, unknown>();
  return {
    load: async (name) => documents.get(name),
    update: async (name, change) => {
      const data = change(documents.get(name));
      if (data === undefined) documents.delete(name);
      else documents.set(name, data);
    },
    clear: async () => {
      documents.clear();
    },
  };
}
