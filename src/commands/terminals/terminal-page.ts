import {
  messageParts,
  type SessionEntry,
  type TerminalAnswer,
} from '../../model/terminals/terminal-answer.ts';
import { facts, line, nextStep, span, table, type Block, type Page } from '../../model/text/page.ts';

/** The compatible messages name a program that a person has not started. */
const PREFIX = /^Terminator: /;

/** What a person at a terminal wants of another terminal: its output as it is, and what became of the command. */
export function pageOfTerminals(answer: TerminalAnswer): Page {
  const { head, output, remarks } = messageParts(answer);
  const { exit_code: exitCode, sessions, configuration, screen, suggestion } = answer;
  if (sessions !== undefined)
    return [
      ...(configuration === undefined ? [] : [facts(Object.entries(configuration).map(fact))]),
      sessions.length === 0 ? line('no terminals') : tableOfTerminals(sessions),
    ];
  const shown = answer.output ?? output;
  const told = head.replace(PREFIX, '').replace(/ (?:Initial output|Output)[^:]*:$/, '');
  return [
    ...(shown === '' ? [] : [{ kind: 'verbatim', text: shown } as const]),
    exitCode === undefined
      ? line(told === '' ? '' : span(told.split('\n')[0] ?? '', answer.success ? 'quiet' : 'bad'))
      : ended(exitCode),
    ...(remarks === '' ? [] : remarks.split('\n').map((text) => line(span(text, 'quiet'), 2))),
    ...(screen === undefined
      ? []
      : [
          line(
            span(
              `cursor ${screen.cursor.row},${screen.cursor.column} of ${screen.rows}×${screen.columns}`,
              'quiet',
            ),
          ),
        ]),
    ...(suggestion === undefined ? [] : [nextStep(suggestion, 2)]),
  ];
}

function fact([name, value]: readonly [string, string | number | boolean]): readonly [string, string] {
  return [name, String(value)];
}

function ended(exitCode: number): Block {
  return exitCode === 0 ? line(span('✓ exit code 0', 'good')) : line(span(`✗ exit code ${exitCode}`, 'bad'));
}

function tableOfTerminals(sessions: readonly SessionEntry[]): Block {
  return table(
    [
      { title: 'REF' },
      { title: 'TAG', narrow: 'clip' },
      { title: 'STATE' },
      { title: 'RUNS', narrow: 'clip' },
      { title: 'SHOWN', align: 'right' },
      { title: 'PROJECT', narrow: 'clip' },
    ],
    sessions.map((one) => [
      span(one.ref ?? '', 'reference'),
      span(one.tag, 'name'),
      one.is_busy ? span(one.state, 'doubtful') : one.state,
      one.running ?? '',
      one.attached === 0 ? '' : String(one.attached),
      [one.project_path ?? '', ...(one.is_confined ? [span(' confined', 'quiet')] : [])],
    ]),
  );
}
