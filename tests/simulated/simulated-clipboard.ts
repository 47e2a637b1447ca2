import { DeskterityError } from '../../src/model/effects/errors.ts';
import type {
  ClipboardChange,
  ClipboardContent,
  ClipboardFormats,
  ClipboardKind,
  ClipboardPort,
  ClipboardWrite,
} from '../../src/ports/clipboard.ts';

/** A clipboard that other programs also use: a test sets what they write, and whether they replace our content at once. */
export class SimulatedClipboard implements ClipboardPort {
  isOwned = false;
  /** The process whose content it is. */
  owner: number | undefined;
  /** What it offers beside its content. */
  hints: readonly string[] = [];
  /** What another program writes after every other write. */
  rival: ClipboardContent | undefined;
  private held: ClipboardContent | undefined;
  private readonly listeners = new Set<(change: ClipboardChange) => void>();

  get content(): ClipboardContent | undefined {
    return this.held;
  }

  set content(content: ClipboardContent | undefined) {
    this.held = content;
    this.isOwned = false;
    this.say('changed');
  }

  say(change: ClipboardChange): void {
    for (const listener of this.listeners) listener(change);
  }

  async ownerPid(): Promise<number | undefined> {
    return this.owner;
  }

  async formats(): Promise<ClipboardFormats> {
    const kind = this.content?.kind;
    const names = [...(kind === undefined ? [] : [nameOf(kind)]), ...this.hints];
    return { names, text: kind === 'text', image: kind === 'image' };
  }

  async read(kind: ClipboardKind): Promise<ClipboardContent> {
    if (this.content?.kind === kind) return this.content;
    throw new DeskterityError('CLIPBOARD_EMPTY', `The clipboard holds no ${kind}.`, {
      suggestion: 'Copy something first.',
    });
  }

  async write({ content, outlivesCall }: ClipboardWrite): Promise<readonly string[]> {
    if (!outlivesCall)
      throw new DeskterityError('DAEMON_UNAVAILABLE', 'The text would be gone with this call.', {
        suggestion: 'Omit --no-daemon.',
        delivered: false,
      });
    this.content = this.rival ?? content;
    this.isOwned = this.rival === undefined;
    return [nameOf(content.kind)];
  }

  async clear(): Promise<void> {
    this.content = this.rival;
    this.isOwned = false;
  }

  async watch(listener: (change: ClipboardChange) => void): Promise<() => void> {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

function nameOf(kind: ClipboardKind): string {
  return kind === 'text' ? 'text/plain' : 'image/png';
}
