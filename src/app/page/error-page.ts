import type { ErrorBody } from '../../model/effects/error-body.ts';
import { line, nextStep, span, type Block, type Page } from '../../model/text/page.ts';
import { quote } from '../../model/text/untrusted-text.ts';

/** A failure as a person reads it: what happened and why, then the candidates, and the next step on a line of its own. */
export function errorPage({
  code,
  message,
  suggestion,
  platform_detail: detail,
  candidates = [],
}: ErrorBody): Page {
  return [
    line([span('✗ ', 'bad'), span(code, 'bad'), ` ${message}`]),
    ...(detail === undefined ? [] : detail.split('\n').map((text) => line(span(text, 'quiet'), 2))),
    ...candidates.map((candidate) => candidateLine(candidate)),
    nextStep(suggestion, 2),
  ];
}

function candidateLine({
  ref,
  role,
  name,
  pid,
  detail,
}: NonNullable<ErrorBody['candidates']>[number]): Block {
  const parts = [
    ...(role === undefined ? [] : [span(role, 'role')]),
    ...(name === undefined ? [] : [span(quote(name), 'name')]),
    ...(ref === undefined ? [] : [span(ref, 'reference')]),
    ...(pid === undefined ? [] : [span(`pid=${pid}`, 'quiet')]),
    ...(detail === undefined ? [] : [span(detail, 'quiet')]),
  ];
  return line(
    parts.flatMap((part, index) => (index === 0 ? [part] : [' ', part])),
    2,
  );
}
