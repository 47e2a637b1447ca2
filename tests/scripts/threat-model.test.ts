import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { carryOut, identified, surprises } from '../../scripts/redteam/carry-out.ts';
import { LANES } from '../../scripts/redteam/groups.ts';
import { NotPossible, type Attack, type Outcome } from '../../scripts/redteam/row.ts';
import { World } from '../../scripts/redteam/world.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const model = page.slice(page.indexOf('## Threat model'), page.indexOf('## What is not protected yet'));
const attacks = LANES.flatMap((groups) => identified(groups));
const groups = LANES.flatMap((one) => Object.keys(one));

describe('the threat model', () => {
  it.each([
    'runaway agent',
    'Exfiltration',
    'Escalation',
    'Denial of service',
    'Injection',
    'Hijacking',
    'terminal',
    'tool file',
    'Another MCP server',
    'denied',
    'policy',
  ])('has a row for %s', (threat) => {
    const threats = model.split('\n').map((line) => /^\| \*\*([^|]*)\|/.exec(line)?.[1] ?? '');
    expect(threats.filter((one) => one.includes(threat)).length).toBeGreaterThan(0);
  });

  it('names only attacks that exist', () => {
    const named = [...model.matchAll(/redteam ((?:`[^`]+`(?: \([^)]*\))?(?:, | and )?)+)/g)].flatMap(
      ([, list = '']) => [...list.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id),
    );
    expect(named.length).toBeGreaterThan(20);
    const known = new Set([...groups, ...attacks.map(({ id }) => id)]);
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  it('names only tests that exist', () => {
    const named = [...model.matchAll(/`(tests\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('says of each attack that is open that it is', () => {
    const open = attacks.filter(({ attack }) => attack.open !== undefined).map(({ id }) => id);
    expect(open.filter((id) => !model.includes(`\`${id}\``))).toEqual([]);
  });

  it('covers each group of attacks', () => {
    expect(groups.filter((group) => !model.includes(`\`${group}\``))).toEqual([]);
  });
});

describe('an attack', () => {
  const world: World = Object.create(World.prototype);
  const attack = (run: () => Promise<Outcome>, open?: string): Attack => ({
    attack: 'one',
    surface: 'here',
    run,
    ...(open === undefined ? {} : { open }),
  });
  const rowOf = async (one: Attack) => {
    const [first] = identified({ group: [one] });
    if (first === undefined) throw new Error('no attack');
    return carryOut(first, world);
  };

  it.each([
    ['an error', new Error('broken')],
    ['something that is missing', new NotPossible('no Java')],
  ])('that ends with %s was not carried out, and is never held', async (_, error) => {
    const row = await rowOf(attack(() => Promise.reject(error)));
    expect(row).toMatchObject({ id: 'group/one--here', held: null });
    expect(row.evidence).toContain(error.message);
  });

  it('that throws before its first promise was not carried out either', async () => {
    const row = await rowOf(
      attack(() => {
        throw new Error('at once');
      }),
    );
    expect(row.held).toBeNull();
  });

  it('that is open fails the run unless that is stated; one that is stated and held does, too', async () => {
    const stated = attack(async () => ({ held: false, evidence: 'seen' }), 'nothing stands against it');
    expect((await rowOf(stated)).evidence).toBe('nothing stands against it (seen)');
    const all = identified({ a: [attack(async () => ({ held: false, evidence: '' }))], b: [stated] });
    const row = (id: string, held: boolean) => ({
      id,
      held,
      attack: '',
      surface: '',
      code: null,
      evidence: '',
    });
    expect(surprises([row('a/one--here', false), row('b/one--here', false)], all)).toEqual([
      'a/one--here is open, and nowhere stated',
    ]);
    expect(surprises([row('a/one--here', true), row('b/one--here', true)], all)).toEqual([
      'b/one--here is stated as open, but was held off',
    ]);
  });

  it('has a name of its own', () => {
    const one = attack(async () => ({ held: true, evidence: '' }));
    expect(() => identified({ group: [one, one] })).toThrow('Two attacks');
  });
});
