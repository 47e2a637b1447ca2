import { describe, expect, it } from 'vitest';
import { ran, useTerminalsLab, WAITS } from '../terminal/support/terminals-lab.ts';
import { until } from '../until.ts';

const lab = useTerminalsLab();

describe('a terminal in the holder', () => {
  it('is opened, runs commands in one shell, is found and listed, and is closed', async () => {
    const terminals = lab().terminals();
    const start = lab().start();
    const opened = await terminals.open(start);
    expect(opened.id).toMatch(/^term-[a-z2-7]{6}$/);
    const first = await ran(terminals, opened.id, 'X=5; cd /tmp; printf "one\\ntwo\\n"; (exit 3)');
    expect(first).toMatchObject({ kind: 'completed', exitCode: 3, output: 'one\ntwo', leftOut: [] });
    const second = await ran(terminals, opened.id, 'echo $X $PWD');
    expect(second).toMatchObject({ kind: 'completed', exitCode: 0, output: '5 /tmp' });
    expect(second.terminal).toMatchObject({ state: 'idle', cwd: '/tmp', exitCode: 0 });
    const { from = 0, to = 0 } = second.range ?? {};
    expect(Buffer.from(await terminals.bytes(opened.id, { from, to })).toString()).toBe('5 /tmp\r\n');
    expect((await terminals.find(start.name))?.id).toBe(opened.id);
    expect((await terminals.list()).map(({ id }) => id)).toEqual([opened.id]);
    expect((await terminals.open(start)).id).toBe(opened.id);
    const shows = async (text: string): Promise<boolean> =>
      (await terminals.lines(opened.id, 2)).text === text;
    await until(() => shows('5 /tmp\n$'), 'the prompt is back');
    await terminals.close(opened.id, WAITS);
    expect(await terminals.find(start.name)).toBeUndefined();
    expect(await terminals.list()).toEqual([]);
    expect(lab().shellFiles()).toEqual([]);
    expect(lab().base.strays()).toEqual([]);
  });
});
