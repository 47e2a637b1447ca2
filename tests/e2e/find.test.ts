import { describe, expect, it } from 'vitest';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { Found } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';

const place = usePlace();
const bench = useFixtures(place);

async function search(app: Bench, query: string, ...flags: string[]) {
  const found = (await app.desk('find', query, '--app', app.app, ...flags)).ok(Found);
  return { ...found, names: found.matches.map((match) => match.name ?? '') };
}

describe.each(FIXTURE_KINDS)('find in %s', (kind) => {
  it('matches the whole name, or a part of it, in any case', async () => {
    const app = bench(kind);
    const [exact, part] = await Promise.all([
      search(app, 'press', '--by', 'exact'),
      search(app, 'DIALOG', '--by', 'contains', '--role', 'button'),
    ]);
    expect(exact).toMatchObject({ matched_by: 'exact', names: ['Press'] });
    expect(part).toMatchObject({ matched_by: 'contains', total: 2, names: ['Open dialog', 'Run dialog'] });
  });

  it('matches patterns, roles and paths', async () => {
    const app = bench(kind);
    const [pattern, role, path] = await Promise.all([
      search(app, '^(open|run) d.+g$', '--by', 'regex', '--role', 'button'),
      search(app, 'slider', '--by', 'role'),
      search(app, '//group[@name="Buttons"]//button[@name="Press"]', '--by', 'path'),
    ]);
    expect(pattern).toMatchObject({ matched_by: 'regex', names: ['Open dialog', 'Run dialog'] });
    expect(role).toMatchObject({ matched_by: 'role', names: ['Volume'] });
    expect(path).toMatchObject({ matched_by: 'path', names: ['Press'] });
    expect(path.matches[0]?.within.join(' ')).toContain('group "Buttons"');
  });

  it('tolerates typing errors and reports how close the match is', async () => {
    const app = bench(kind);
    const fuzzy = await search(app, 'Enabel latr', '--by', 'fuzzy');
    expect(fuzzy).toMatchObject({ matched_by: 'fuzzy' });
    expect(fuzzy.names[0]).toBe('Enable later');
    expect(fuzzy.matches[0]?.score).toBeLessThan(1);
  });

  it('tries one method after the other by default', async () => {
    const app = bench(kind);
    const [exact, part, fuzzy] = await Promise.all([
      search(app, 'Press'),
      search(app, 'able lat'),
      search(app, 'Enabel latr'),
    ]);
    expect([exact.matched_by, part.matched_by, fuzzy.matched_by]).toEqual(['exact', 'contains', 'fuzzy']);
    expect(part.names).toEqual(['Enable later']);
  });

  it('finds nothing under an unknown identifier and lists near misses', async () => {
    const app = bench(kind);
    const [identifier, typo] = await Promise.all([
      search(app, 'no-such-id', '--by', 'identifier'),
      search(app, 'Opn dialg', '--by', 'exact'),
    ]);
    expect(identifier).toMatchObject({ count: 0, total: 0 });
    expect(typo).toMatchObject({ count: 0, total: 0 });
    expect(typo.near_misses?.[0]).toMatchObject({ name: 'Open dialog' });
    expect(typo.near_misses?.[0]?.ref).toMatch(/^@e\d+$/);
  });

  it('limits what it returns and reports the total', async () => {
    const limited = await search(bench(kind), '', '--role', 'button', '--limit', '2');
    expect(limited.count).toBe(2);
    expect(limited.total).toBeGreaterThan(5);
  });

  it('omits what is not on screen by default', async () => {
    const app = bench(kind);
    const [shown, whole] = await Promise.all([
      search(app, 'Prices', '--by', 'contains'),
      search(app, '', '--role', 'button', '--whole-tree'),
    ]);
    expect(shown.names).not.toContain('Prices');
    expect(whole.total).toBeGreaterThanOrEqual(9);
  });
});
