import { describe, expect, it } from 'vitest';
import { workflowParams } from '../../src/commands/steps/workflow-params.ts';
import { AliasName, usualAlias } from '../../src/model/sessions/connection.ts';
import { isSessionName, sessionName } from '../../src/model/sessions/session-name.ts';
import { isReservedName } from '../../src/model/text/reserved-name.ts';
import { ToolFile } from '../../src/model/tools/tool-file.ts';
import { WorkflowStep } from '../../src/model/workflow/step.ts';

const tool = (name: string, argument: string) => ({
  name,
  description: 'Prints something.',
  command: 'echo',
  positional_args: [{ name: argument, description: 'What.', type: 'string' }],
});

describe('what a caller names', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'CONSTRUCTOR'])(
    'is never called %s, which every object has',
    (name) => {
      expect(isReservedName(name)).toBe(true);
      expect(AliasName.safeParse(name).success).toBe(false);
      expect(usualAlias(name)).toBe('app');
      expect(() => sessionName(name)).toThrow('have already');
      expect(isSessionName(name)).toBe(false);
      expect(WorkflowStep.safeParse({ command: 'click', input: {}, id: name }).success).toBe(false);
      expect(() => workflowParams({}, [`${name}=x`])).toThrow('have already');
      expect(() => workflowParams(JSON.parse(`{"${name}":"x"}`))).toThrow('have already');
      expect(ToolFile.safeParse(tool(name, 'text')).success).toBe(false);
    },
  );

  it('may be called anything else', () => {
    expect(AliasName.parse('proto')).toBe('proto');
    expect(sessionName('constructors')).toBe('constructors');
    expect(workflowParams({}, ['value=x']).get('value')).toBe('x');
    expect(ToolFile.safeParse(tool('echo', 'text')).error).toBeUndefined();
    expect(ToolFile.safeParse(tool('echo', 'constructor')).success).toBe(false);
  });
});
