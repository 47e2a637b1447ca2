import type { DeskterityError, ErrorCode } from '../../../../model/effects/errors.ts';
import { quote, reveal, stringifyVisibly } from '../../../../model/text/untrusted-text.ts';
import { markApplicationText } from '../../tools/application-text.ts';

/** The dialect's names of failures that it has a name for. */
const NAMES: Readonly<Partial<Record<ErrorCode, string>>> = {
  APP_NOT_FOUND: 'App not connected',
  BUS_UNAVAILABLE: 'Accessibility denied',
  EXPECTATION_FAILED: 'Assertion failed',
  INVALID_ARGUMENT: 'Invalid params',
  PERM_DENIED: 'Accessibility denied',
  POLICY_DENIED: 'Blocked by security policy',
  RATE_LIMITED: 'Rate limit exceeded',
};
/** In messages that already begin so. */
const BEGINNINGS = ['Element not found: '];

const SUGGESTIONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  ACTION_NOT_SUPPORTED:
    'Where the tool has a mode, "focus" may also use keyboard and pointer. Otherwise try another tool or element.',
  APP_NOT_FOUND: 'Call ax_list_apps to see what is running, or start the application.',
};

/** A failure in the dialect's form: what happened, what was there instead, and what to do next. */
export function failureText(error: DeskterityError, next?: string): string {
  const { code, message, suggestion, candidates, platformDetail, report, result } = error;
  const name = BEGINNINGS.some((start) => message.startsWith(start)) ? undefined : NAMES[code];
  const head = `Error: ${name === undefined ? '' : `${name}: `}${reveal(message)}`;
  const others = candidates.map(({ role, name: called, ref, pid, detail }) =>
    [role, called === undefined ? undefined : quote(called), ref, pid && `pid ${pid}`, detail]
      .filter((part) => part !== undefined)
      .join(' '),
  );
  const done = report ?? (result === undefined ? undefined : stringifyVisibly(result));
  const told = [
    ...(platformDetail === undefined ? [] : [reveal(platformDetail)]),
    ...(others.length === 0
      ? []
      : [marked(`${code === 'APP_NOT_FOUND' ? 'Running' : 'Candidates'}: ${others.join('; ')}`)]),
    ...(done === undefined ? [] : [marked(done)]),
  ];
  return [marked(head), ...told, `Suggestion: ${next ?? SUGGESTIONS[code] ?? suggestion}`].join('\n\n');
}

/** Text from applications is in double quotes. */
function marked(text: string): string {
  return text.includes('"') ? markApplicationText(text) : text;
}
