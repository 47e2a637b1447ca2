/** Values for the field codes of an `Exec` line. */
export interface ExecFields {
  /** The caller's arguments: files, URLs or options. */
  readonly args: readonly string[];
  readonly icon?: string | undefined;
  readonly name: string;
  readonly file: string;
}

interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

/** Splits an `Exec` line into words; `undefined` if a quote is not closed or the line is empty. */
function splitExec(exec: string): Word[] | undefined {
  const words: Word[] = [];
  let position = 0;
  while (position < exec.length) {
    if (/\s/.test(exec[position] ?? '')) {
      position += 1;
      continue;
    }
    let text = '';
    let quoted = false;
    while (position < exec.length && !/\s/.test(exec[position] ?? '')) {
      if (exec[position] !== '"') {
        text += exec[position];
        position += 1;
        continue;
      }
      const part = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(exec.slice(position));
      if (part === null) return undefined;
      quoted = true;
      text += (part[1] ?? '').replaceAll(/\\(["`$\\])/g, '$1');
      position += part[0].length;
    }
    words.push({ text, quoted });
  }
  return words.length === 0 ? undefined : words;
}

/**
 * The command of an `Exec` line with its field codes expanded. The caller's arguments replace the first file or URL code, or go to the end
 * if there is none. `undefined` for a malformed line.
 */
export function expandExec(exec: string, fields: ExecFields): string[] | undefined {
  const words = splitExec(exec);
  if (words === undefined) return undefined;
  const command: string[] = [];
  let placed = false;
  for (const { text, quoted } of words) {
    if (!quoted && /^%[fFuU]$/.test(text)) {
      if (!placed) command.push(...fields.args);
      placed = true;
    } else if (!quoted && text === '%i') {
      if (fields.icon !== undefined) command.push('--icon', fields.icon);
    } else {
      const expanded = expandWord(text, fields, placed);
      placed ||= expanded.placed;
      // A word that expands to nothing is dropped.
      if (expanded.text !== '' || quoted) command.push(expanded.text);
      if (expanded.placed) command.push(...fields.args.slice(1));
    }
  }
  if (!placed) command.push(...fields.args);
  return command[0] === undefined || command[0] === '' ? undefined : command;
}

function expandWord(text: string, fields: ExecFields, placed: boolean): { text: string; placed: boolean } {
  let used = false;
  const expanded = text.replaceAll(/%(.?)/g, (_whole, code: string) => {
    if (code === '%') return '%';
    if (code === 'c') return fields.name;
    if (code === 'k') return fields.file;
    if (!/[fFuU]/.test(code) || code === '' || used || placed) return '';
    used = true;
    return fields.args[0] ?? '';
  });
  return { text: expanded, placed: used };
}
