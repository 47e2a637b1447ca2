import { policyOf } from '../../../../src/policy/rules/rules.ts';

/** Without a rule. */
export const OPEN = policyOf([]);

/** The mode in which nothing is changed. */
export const READING = policyOf([
  {
    source: 'a test',
    mode: 'sandboxed',
    except: [],
    rules: [],
  },
]);
