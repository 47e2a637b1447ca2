import { expect, it } from 'vitest';
import { usePlace } from './harness.ts';
import { Found } from './support/answers.ts';

const TITLE = '$(touch /tmp/pwned) "x" `y`';

const place = usePlace(async (started) => {
  await started.fixture('gtk3', TITLE);
});

const complete = async (...words: string[]) =>
  (await place().desk(['__complete', ...words.map((word, index) => (index === 0 ? word : `=${word}`))]))
    .stdout;

it('offers windows, applications, references and sessions of a real desktop', async () => {
  const { matches } = (await place().desk(['find', 'Press', '--role', 'button', '--exact'])).ok(Found);
  const ref = matches[0]?.ref ?? 'none';
  expect(await complete('fish', '', 'snapshot', '--window')).toMatch(/^@w\d+\t"\$\(touch/m);
  expect(await complete('fish', '$', 'snapshot', '--window')).toContain(`\n${TITLE}\t@w`);
  expect(await complete('bash', 'desk snapshot --window \\$', '\\$', '9')).toBe(
    ':values\n\\$\\(touch\\ /tmp/pwned\\)\\ \\"x\\"\\ \\`y\\`\n',
  );
  expect(await complete('fish', '', 'click')).toContain(`\n${ref}\tbutton "Press"\n`);
  expect(await complete('fish', '', 'close-app')).toMatch(/\tprocess /);
  expect(await complete('fish', '', '--session')).toContain('\ndefault\tsession\n');
});

it('offers only references without a daemon', async () => {
  await place().desk(['daemon', 'stop']);
  expect(await complete('fish', '', 'close-app')).toBe(':values\n');
  expect(await complete('fish', '@', 'click')).toContain('\tbutton "Press"\n');
});
