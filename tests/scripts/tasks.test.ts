import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TASKS } from '../../scripts/proof/tasks/oracles/index.ts';
import { withParams } from '../../scripts/proof/tasks/task.ts';
import { commands } from '../../src/commands/index.generated.ts';
import { WorkflowStep } from '../../src/model/workflow/step.ts';
import systemPackages from '../../src/platform/linux/system-packages.json' with { type: 'json' };
import { createRegistry } from '../../src/registry/registry.ts';
import { ROOT } from '../program-copy.ts';

const FOLDER = join(ROOT, 'examples');
const Workflow = z.strictObject({ name: z.string(), about: z.string(), steps: z.array(WorkflowStep).min(1) });
const SETTING = { home: '/home/ada', url: 'http://127.0.0.1/' };
const registry = createRegistry(commands);

function textOf(name: string): string {
  return readFileSync(join(FOLDER, `${name}.json`), 'utf8');
}

it('every workflow in examples/ is proved', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  expect(files.toSorted()).toEqual(TASKS.map(({ name }) => `${name}.json`).toSorted());
});

describe.each(TASKS)('the task $name', (task) => {
  const params = task.params(SETTING);

  it('is a workflow of commands that take what it gives them', () => {
    const { name, steps } = Workflow.parse(JSON.parse(textOf(task.name)));
    expect(name).toBe(task.name);
    for (const { command, input } of steps) {
      const [filled = '{}'] = withParams([[JSON.stringify(input)]], quoted(params)).flat();
      expect(() => registry.get(command)?.input.parse(JSON.parse(filled))).not.toThrow();
      expect(registry.get(command)).toBeDefined();
    }
  });

  it('names elements by what a person sees: no references, no coordinates', () => {
    expect(textOf(task.name)).not.toMatch(/@[ewt]\d|_xy"|"\d+,\d+"/);
    for (const call of task.plain) expect(call.join(' ')).not.toMatch(/@[ewt]\d|\b\d+,\d+\b/);
  });

  it('uses all of its parameters, in both ways, and no others', () => {
    const used = (text: string): string[] => [
      ...new Set([...text.matchAll(/\{\{param\.(\w+)\}\}/g)].map(([, name = '']) => name)),
    ];
    expect(used(textOf(task.name)).toSorted()).toEqual(Object.keys(params).toSorted());
    expect(() => withParams(task.plain, params)).not.toThrow();
  });

  it('needs only packages that setup installs for the tasks', () => {
    const { apt } = systemPackages.groups.tasks.packages;
    expect(apt).toEqual(expect.arrayContaining([...task.packages]));
  });
});

/** For a place inside a JSON string. */
function quoted(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, JSON.stringify(value).slice(1, -1)]),
  );
}
