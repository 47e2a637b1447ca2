import type { Environment, ScreenFacts } from '../../../wire/client-frames.ts';
import { FORMATS, isFormat, type Format } from '../arguments/globals.ts';
import { CallFailure } from '../daemon/call-failure.ts';
import type { OutputStream } from './output.ts';

/** Variables that fix the form of answers; the first that is set counts. */
const FORMAT_VARIABLES = ['DESKTERITY_FORMAT', 'DESKTERITY_OUTPUT_FORMAT'] as const;

/** Width if the terminal does not know its own. */
const USUAL_COLUMNS = 80;
const COLUMNS = { least: 20, most: 1000 };

/** Terminals that show little more than ASCII. */
const PLAIN_TERMINALS = /^(?:dumb|linux|vt\d+.*)$/;

/** Whether a stream may be coloured: FORCE_COLOR over NO_COLOR over what the terminal can do. */
export function hasColour(environment: Environment, isTerminal: boolean): boolean {
  const forced = environment['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced.toLowerCase() !== 'false';
  return isTerminal && environment['TERM'] !== 'dumb' && (environment['NO_COLOR'] ?? '') === '';
}

/** The terminal that answers are printed on, for an answer for people. */
export function screenFacts(environment: Environment, { isTTY, columns }: OutputStream): ScreenFacts {
  return {
    columns: widthOf(environment, columns),
    colour: hasColour(environment, isTTY === true),
    ascii: isPlain(environment),
  };
}

export function widthOf(environment: Environment, columns: number | undefined): number {
  const named = Number(environment['COLUMNS'] ?? '');
  const width = Number.isSafeInteger(named) && named > 0 ? named : columns;
  // A terminal whose size nobody has set reports 0.
  return Math.min(Math.max(width || USUAL_COLUMNS, COLUMNS.least), COLUMNS.most);
}

/**
 * Whether the terminal can only show ASCII. A locale that names no encoding says nothing about the terminal, and LANG is often left at C; but whoever
 * sets LC_ALL or LC_CTYPE to C asks for ASCII.
 */
export function isPlain(environment: Environment): boolean {
  if (/^(?:C|POSIX)$/.test(environment['LC_ALL'] || environment['LC_CTYPE'] || '')) return true;
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || '';
  const encoding = /\.([^@]+)/.exec(locale)?.[1]?.replaceAll('-', '').toLowerCase();
  return PLAIN_TERMINALS.test(environment['TERM'] ?? '') || (encoding !== undefined && encoding !== 'utf8');
}

/** The form that the environment fixes; `undefined` if it leaves that to the terminal. @throws CallFailure CONFIG_INVALID */
export function formatIn(environment: Environment): Format | undefined {
  const name = FORMAT_VARIABLES.find((variable) => (environment[variable] ?? '') !== '');
  if (name === undefined) return undefined;
  const text = environment[name] ?? '';
  const format = text.toLowerCase();
  if (isFormat(format)) return format;
  if (format === 'auto') return undefined;
  throw new CallFailure(
    'CONFIG_INVALID',
    `The variable ${name} is ${JSON.stringify(text.slice(0, 80))}, but must be one of auto, ${FORMATS.join(', ')}.`,
    { suggestion: 'Correct or unset it.' },
  );
}

/** The form of what the command line itself prints: as asked, as the environment fixes it, or as the terminal suggests. */
export function formOf(asked: Format | undefined, environment: Environment, stdout: OutputStream): Format {
  return asked ?? formatIn(environment) ?? usualForm(stdout);
}

/** The form without any choice: for people at a terminal, as JSON elsewhere. */
export function usualForm({ isTTY }: OutputStream): Format {
  return isTTY === true ? 'human' : 'json';
}
