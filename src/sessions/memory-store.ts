import type { SessionStore } from '../ports/session-store.ts';

/** A session store in memory, lost when the process exits. */
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
