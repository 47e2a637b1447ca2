import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Channel } from '../bus/application.ts';
import { NULL_PATH, ROOT_PATH } from '../tree/names.ts';
import type { StateBits } from '../tree/states.ts';

/** What the place of an element is told from: its application's tree, by path. */
export interface Surroundings {
  readonly parent: (path: string) => Promise<string>;
  readonly children: (path: string) => Promise<readonly string[]>;
  readonly role: (path: string) => Promise<number>;
  readonly states: (path: string) => Promise<StateBits>;
}

export function surroundings({ connection, templates }: Channel, options: CallOptions): Surroundings {
  return {
    parent: async (path) => (await connection.invoke(templates.parent, path, options)).path,
    children: async (path) =>
      (await connection.invoke(templates.children, path, options)).map((child) => child.path),
    role: (path) => connection.invoke(templates.role, path, options),
    states: (path) => connection.invoke(templates.state, path, options),
  };
}

/** What an element is in, from the inside to its window; at most so many. */
export async function pathsAbove(around: Surroundings, path: string, most: number): Promise<string[]> {
  const above: string[] = [];
  let at = await around.parent(path);
  while (above.length < most && at !== NULL_PATH && at !== ROOT_PATH) {
    above.push(at);
    at = await around.parent(at);
  }
  return above;
}
