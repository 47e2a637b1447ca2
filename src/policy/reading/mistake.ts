import { safeExpression, type SafeExpression } from '../rules/safe-expression.ts';

/** A mistake in a policy file. The message is a clause, and `fix` a sentence without a full stop. */
export class Mistake extends Error {
  readonly fix: string | undefined;

  constructor(message: string, fix?: string) {
    super(message);
    this.fix = fix;
  }
}

/** @throws Mistake */
export function expressionOf(source: string, isWhole: boolean): SafeExpression {
  const { expression, problem } = safeExpression(source, { isWhole });
  if (expression !== undefined) return expression;
  throw new Mistake(`the regular expression ${problem}`, 'Write a simpler one, or several rules');
}
