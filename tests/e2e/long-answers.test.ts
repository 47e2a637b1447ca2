import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flatten, Found, Snapshot } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import { usePlace } from './harness.ts';

const place = usePlace();
const LONGEST = 100_000;
const Items = z.looseObject({ items: z.number() });

describe('an answer of more than 100 KB', () => {
  let app: Bench;
  beforeAll(async () => {
    app = new Bench(place(), await place().fixture('gtk3', 'Long'));
    await app.set('tabs', 'selected', 'Many rows');
  });

  it.each(['json', 'outline'])(
    'is cut at whole rows, and goes on after the last one, in %s',
    async (format) => {
      const list = await app.ref('rows');
      const expected = Items.parse(await app.fixture.control('get', { widget: 'rows' })).items;
      expect(expected).toBeGreaterThanOrEqual(1000);
      const read = [
        'snapshot',
        '--root',
        list,
        '--whole-tree',
        '--include-bounds',
        '--max-tokens',
        '1000000',
      ];
      const names: string[] = [];
      const lengths: number[] = [];
      let after: string | undefined;
      do {
        const more: string[] = after === undefined ? [] : ['--after', after];
        const answer = (await app.desk(...read, ...more)).ok(Snapshot);
        const printed = await app.desk(...read, ...more, '--format', format);
        lengths.push(Buffer.byteLength(printed.stdout));
        names.push(
          ...flatten(answer.tree).flatMap(({ role, name = '' }) => (role === 'listitem' ? [name] : [])),
        );
        const [next, ...others] = answer.continued ?? [];
        expect(others).toEqual([]);
        expect(next?.root ?? list).toBe(list);
        after = next?.after;
      } while (after !== undefined);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(LONGEST);
      expect(lengths.length).toBeGreaterThan(1);
      expect(names).toHaveLength(expected);
      expect(new Set(names).size).toBe(expected);
    },
  );

  it('is cut for matches, too', async () => {
    const names: string[] = [];
    let after: string | undefined;
    let count = 0;
    do {
      const more: string[] = after === undefined ? [] : ['--after', after];
      const reply = await app.desk(
        'find',
        '--role',
        'listitem',
        '--whole-tree',
        '--limit',
        '1000',
        '--app',
        app.app,
        ...more,
      );
      expect(Buffer.byteLength(reply.stdout)).toBeLessThanOrEqual(LONGEST);
      const found = reply.ok(Found);
      names.push(...found.matches.map(({ name = '' }) => name));
      after = found.cut_after;
      count += 1;
    } while (after !== undefined);
    expect(count).toBeGreaterThan(1);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(1000);
  });
});
