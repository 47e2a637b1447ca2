import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const IN_ROOT = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md'];
const IN_DOCS = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && name !== 'adr/template.md')
  .map((name) => `docs/${name}`);

it.each([...IN_ROOT, ...IN_DOCS])('%s refers only to files that exist', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
    join(dirname(page), link),
  );
  const paths = [...text.matchAll(/`((?:src|tests|scripts|docs|fixtures|bench)\/[\w./-]+)`/g)].map(
    ([, path = '']) => path,
  );
  expect([...links, ...paths].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it('the drawing of four calls names only files that exist', () => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const drawing = /```\n([^]*?)```/.exec(page)?.[1] ?? '';
  const named = drawing.match(/[\w/-]+\.ts\b/g) ?? [];
  expect(named.length).toBeGreaterThan(20);
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

it('every page in the npm package links only to files in it', () => {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [packed] = z
    .array(z.object({ files: z.array(z.object({ path: z.string() })) }))
    .parse(JSON.parse(printed));
  const files = packed?.files.map(({ path }) => path) ?? [];
  expect(files).toContain('docs/guides/mcp.md');
  const broken = files
    .filter((file) => file.endsWith('.md') && file !== 'docs/adr/template.md')
    .flatMap((page) =>
      [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
        ([, link = '']) => ({
          page,
          file: join(dirname(page), link),
        }),
      ),
    )
    .filter(
      ({ file }) => !files.some((name) => name === file || name.startsWith(`${file.replace(/\/$/, '')}/`)),
    );
  expect(broken).toEqual([]);
});
