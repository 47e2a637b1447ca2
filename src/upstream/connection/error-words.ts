import { firstIssue } from '../../model/text/first-issue.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { SdkError, SdkErrorCode, SdkHttpError } from '../sdk.ts';

const LIST_OF_ISSUES = /^((?:Invalid [\w/ ]+: ?)?)(\[[^]*\])$/;
const OF_METHOD = /^Invalid result for ([\w/]+): /;
const ONE_ISSUE = /^([\w.[\]-]+): (?:Invalid input: )?([^]+)$/;

/** What an error of the protocol library says, in one sentence without full stop; of a list of mistakes the first. */
export function errorWords(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  if (error instanceof SdkHttpError && typeof error.status === 'number')
    return httpWords(error.status, error);
  const more = cause instanceof Error ? `: ${cause.message}` : '';
  return (answerMistake(error) ?? listedMistake(message) ?? `${message}${more}`).replace(/\.$/, '');
}

/** What is wrong with an answer that is none in the protocol, as a phrase; `undefined` for any other failure. */
export function answerMistake(error: unknown): string | undefined {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.InvalidResult) return undefined;
  const text = error.message.replace(OF_METHOD, '');
  const [, path, problem] = ONE_ISSUE.exec(text) ?? [];
  if (path !== undefined && problem !== undefined) return described(path, problem);
  return listedMistake(error.message) ?? text;
}

/** Why a server could not be started, from what {@link errorWords} says of the error. */
export function startWords(error: unknown, words: string): string {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return 'it did not answer in time';
  if (answerMistake(error) === undefined) return words;
  const isOfList = error instanceof Error && OF_METHOD.exec(error.message)?.[1] === 'tools/list';
  const meant = isOfList ? 'a list of tools' : 'the beginning of a connection';
  return `it answered with something that is not ${meant}: ${words}`;
}

function httpWords(status: number, { statusText, data }: SdkHttpError): string {
  const said = clip(typeof data.text === 'string' ? data.text.trim() : '', 200);
  const name = statusText === undefined || statusText === '' ? '' : ` (${statusText})`;
  return `it answered HTTP ${status}${name}${said === '' ? '' : `: ${said}`}`;
}

function listedMistake(message: string): string | undefined {
  const list = LIST_OF_ISSUES.exec(message)?.[2];
  const issue = list === undefined ? undefined : firstIssue(list);
  return issue && described(issue.path, issue.problem);
}

function described(path: string, problem: string): string {
  const place = path === '' ? 'the answer' : path;
  return `${place} is not valid${problem === '' ? '' : ` (${problem})`}`;
}
