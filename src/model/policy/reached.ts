import { z } from 'zod';
import type { PolicyRequest } from './verdict.ts';

/** Different things that one call reached; what reached more cannot be judged again. */
const MOST_REACHED = 500;
const Name = z.string().optional();
const Names = z.array(z.string()).optional();

/** Something that the policy let a call reach, as it is kept with what the call answered, to be judged again before that is given away. */
export const Reached = z.object({
  command: Name,
  isReadOnly: z.boolean().optional(),
  isOwnReport: z.boolean().optional(),
  reach: z.enum(['applications', 'terminals', 'tools', 'other']).optional(),
  application: z
    .object({
      name: Name,
      program: Name,
      executable: Name,
      isInstalled: z.boolean().optional(),
      desktopIds: Names,
      otherNames: Names,
      relation: z.enum(['host', 'own']).optional(),
      pid: z.int().optional(),
    })
    .optional(),
  terminalProject: Name,
  tool: Name,
  concerning: z.enum(['command', 'terminal', 'application']).optional(),
});
export type Reached = z.output<typeof Reached>;

/** All of it; `isWhole` is false if there was more. */
export const ReachedList = z.object({ isWhole: z.boolean(), all: z.array(Reached).max(MOST_REACHED) });
export type ReachedList = z.output<typeof ReachedList>;

/** Collects what a call reaches. Rules about elements are about acts, not about what is shown of them. */
export class ReachedInCall {
  private readonly found = new Map<string, Reached>();
  private isWhole: boolean;

  constructor(before: ReachedList = { isWhole: true, all: [] }) {
    this.isWhole = before.isWhole;
    for (const one of before.all) this.found.set(keyOf(one), one);
  }

  add(request: PolicyRequest): void {
    const { element, concerning, ...rest } = request;
    if (element !== undefined || concerning === 'element') return;
    const reached = Reached.parse({ ...rest, concerning });
    const key = keyOf(reached);
    if (this.found.has(key)) return;
    if (this.found.size >= MOST_REACHED) this.isWhole = false;
    else this.found.set(key, reached);
  }

  get list(): ReachedList {
    return { isWhole: this.isWhole, all: [...this.found.values()] };
  }
}

/** Two processes of one program are judged alike. */
function keyOf({ application, ...rest }: Reached): string {
  return JSON.stringify([rest, application === undefined ? null : { ...application, pid: undefined }]);
}
