import { afterEach, describe, expect, it } from 'vitest';
import { ShellLab, type LabOptions } from './shell-lab.ts';

const labs: ShellLab[] = [];
async function open(shell: string, options: LabOptions = {}): Promise<ShellLab> {
  const lab = await ShellLab.open(shell, options);
  labs.push(lab);
  return lab;
}
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.close();
});

describe.each(['dash', 'ksh'])('%s', (shell) => {
  it('does not let a shell inside speak for it, though PS1 was in the environment', async () => {
    const lab = await open(shell, { home: { '.profile': "export PS1='mine $ '\n" } });
    await lab.until(() => lab.shown.includes('mine $ '), 'the prompt of the user');
    expect((await lab.run('env')).output).not.toContain(lab.token);
    const sequence = lab.submit('sh -i');
    await lab.until(() => /sh -i\r\n(?:mine \$|[$#]) $/u.test(lab.shown), 'the inner prompt');
    lab.type('echo $((40 + 2)); (exit 9)\n');
    await lab.until(() => /42\r\n(?:mine \$|[$#]) $/u.test(lab.shown), 'the next inner prompt');
    expect(lab.dialogue.state.kind).toBe('running');
    lab.type('exit 4\n');
    expect((await lab.ended(sequence)).outcome.exitCode).toBe(4);
  });

  it('goes on when a command sets the prompt', async () => {
    const lab = await open(shell);
    await lab.run("PS1='other $ '");
    expect(await lab.run('echo out; (exit 7)')).toMatchObject({ output: 'out\n', outcome: { exitCode: 7 } });
    await lab.until(() => lab.shown.endsWith('other $ '), 'the new prompt');
    expect((await lab.run('echo "$?"')).output).toBe('7\n');
  });

  it.each(['set -u', 'set -e', 'set -a', 'set -C', 'set -f', 'set -o vi', 'IFS=0123456789'])(
    'works after %s',
    async (line) => {
      const lab = await open(shell);
      await lab.run(line);
      expect(await lab.run('echo out; (exit 0)')).toMatchObject({
        output: 'out\n',
        outcome: { exitCode: 0 },
      });
      expect((await lab.run('printf end')).output).toBe('end');
    },
  );
});
