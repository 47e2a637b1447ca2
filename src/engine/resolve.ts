import { DeskterityError } from '../model/errors.ts';
import type { Candidate } from '../model/errors.ts';
import type { TreeNode } from '../model/node.ts';
import { requireRef } from '../model/ref.ts';
import type { Role } from '../model/role.ts';
import type { CallOptions, DesktopPort, NodeDetails } from '../ports/desktop.ts';
import type { ElementRecord } from '../model/ref-document.ts';
import type { Session } from './session.ts';
import { TreeIndex } from './tree-index.ts';

/** An element that was looked at a moment ago and is the one the ref names. */
export interface ResolvedTarget {
  readonly ref: string;
  readonly record: ElementRecord;
  readonly node: NodeDetails;
}

/** Views that show another item in the same native object when they scroll or sort: there a new name means another element. */
const ITEM_ROLES: ReadonlySet<Role> = new Set<Role>([
  'listitem',
  'option',
  'row',
  'cell',
  'gridcell',
  'treeitem',
  'columnheader',
  'rowheader',
]);

/** Turns refs into live elements: the right one or none (DESIGN §4). */
export class TargetResolver {
  private readonly desktop: DesktopPort;
  private readonly session: Session;

  constructor(desktop: DesktopPort, session: Session) {
    this.desktop = desktop;
    this.session = session;
  }

  /** @throws DeskterityError ELEMENT_NOT_FOUND, STALE_REF, AMBIGUOUS_TARGET, APP_UNRESPONSIVE */
  async resolve(text: string, options: CallOptions): Promise<ResolvedTarget> {
    const ref = requireRef(text, 'e');
    const record = await this.recordOf(ref);
    const details = await this.desktop
      .describe({ app: record.app, path: record.path }, options)
      .catch((error: unknown) => {
        if (error instanceof DeskterityError && error.code === 'STALE_REF') return undefined;
        throw error;
      });
    if (details && isSameElement(record, details)) return { ref, record, node: details };
    return this.findAgain(ref, record, options);
  }

  private async recordOf(ref: string): Promise<ElementRecord> {
    const table = await this.session.read();
    const record = table.element(ref);
    if (record) return record;
    if (table.wasGiven(ref)) {
      throw new DeskterityError(
        'STALE_REF',
        `${ref} belongs to another desktop or was given out too long ago.`,
        {
          suggestion: 'Run "desk snapshot" or "desk find" again and use the new reference.',
        },
      );
    }
    throw new DeskterityError('ELEMENT_NOT_FOUND', `${ref} was never given out in this session.`, {
      suggestion: 'Run "desk snapshot" or "desk find" to get references; check --session if you use several.',
    });
  }

  /** The native object is gone or shows something else: only one element that is alike in every respect will do. */
  private async findAgain(ref: string, record: ElementRecord, options: CallOptions): Promise<ResolvedTarget> {
    const window = (await this.desktop.listWindows(options)).find(
      (candidate) => candidate.id === record.window,
    );
    if (!window?.root) throw stale(ref, record, 'Its window is closed.', []);
    const tree = await this.desktop.readTree({
      ...options,
      root: window.root,
      wholeTree: true,
      maxNodes: 20_000,
      includeActions: false,
    });
    const index = new TreeIndex(tree.root);
    const [only, ...others] = record.has_twin ? [] : index.candidates(record, true);
    if (only && others.length === 0) {
      await this.session.edit((table) => table.rebind(ref, only.handle));
      return {
        ref,
        record: { ...record, app: only.handle.app, path: only.handle.path },
        node: await this.desktop.describe(only.handle, options),
      };
    }
    const alike = index.candidates(record, false);
    const candidates = await this.session.edit((table) =>
      alike.slice(0, 10).map((node): Candidate => ({
        ref: table.giveElement(index.describe(node, record.window)),
        role: node.role,
        name: node.name,
      })),
    );
    if (candidates.length > 1 || record.has_twin) {
      throw new DeskterityError(
        'AMBIGUOUS_TARGET',
        `${describeRecord(ref, record)} is gone, and more than one element looks like it.`,
        {
          suggestion:
            candidates.length > 0
              ? 'Use the reference of the candidate you mean.'
              : 'Run "desk snapshot" again.',
          candidates,
          delivered: false,
        },
      );
    }
    throw stale(ref, record, 'The element is gone.', candidates);
  }
}

function isSameElement(record: ElementRecord, details: Pick<TreeNode, 'role' | 'name' | 'states'>): boolean {
  if (details.states.includes('defunct') || details.role !== record.role) return false;
  const isItem = ITEM_ROLES.has(record.role) || record.trail.some((step) => ITEM_ROLES.has(step.role));
  return !isItem || details.name === '' || details.name.startsWith(record.name);
}

function stale(
  ref: string,
  record: ElementRecord,
  why: string,
  candidates: readonly Candidate[],
): DeskterityError {
  return new DeskterityError('STALE_REF', `${describeRecord(ref, record)} can no longer be used. ${why}`, {
    suggestion:
      candidates.length > 0
        ? 'If the candidate is what you mean, use its reference.'
        : 'Run "desk snapshot" or "desk find" again and use the new reference.',
    candidates,
    delivered: false,
  });
}

function describeRecord(ref: string, record: ElementRecord): string {
  return `${ref} (${record.role}${record.name === '' ? '' : ` ${JSON.stringify(record.name)}`})`;
}
