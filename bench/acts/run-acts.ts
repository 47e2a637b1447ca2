import type { Figure, Say } from '../support/figures.ts';
import { Program, type User } from '../support/program.ts';
import { Stage } from '../support/stage.ts';
import { actFigures } from './act-figures.ts';
import { ACTS, FIXTURE_CASES, type ActName } from './cases.ts';
import { CuaWay } from './cua-way.ts';
import { McpWay } from './mcp-way.ts';
import { cellFigures, officePressFigures } from './office.ts';
import { inTurn } from './rounds.ts';
import { fixtureSubject, pageSubject, type RecordingSubject } from './subject.ts';
import { sumFigures } from './sum.ts';
import { waysOf, windowOf, type Tools } from './tools.ts';
import { XdotoolWay } from './xdotool-way.ts';

const FIXTURES = ['gtk3', 'gtk4', 'qt5', 'qt6'] as const;
const BROWSERS = [
  ['firefox', 'firefox-esr'],
  ['chromium', 'chromium'],
] as const;

type Part = (stage: Stage, tools: Tools, say: Say, isChosen: (act: ActName) => boolean) => Promise<Figure[]>;

const PARTS: readonly (readonly [name: string, part: Part])[] = [
  ...FIXTURES.map(
    (kind) =>
      [
        kind,
        async (...[stage, tools, say, isChosen]: Parameters<Part>) =>
          subjectFigures(await fixtureSubject(stage, kind), tools, say, isChosen),
      ] as const,
  ),
  ...BROWSERS.map(
    ([name, program]) =>
      [
        name,
        async (...[stage, tools, say, isChosen]: Parameters<Part>) =>
          subjectFigures(await pageSubject(stage, program, name), tools, say, isChosen),
      ] as const,
  ),
  ['libreoffice', async (stage, tools, say) => [...(await officePressFigures(stage, tools, say))]],
  ['libreoffice cells', async (stage, tools, say) => [...(await cellFigures(stage, tools, say))]],
  ['kcalc', sumFigures],
];

/** Each application on a desktop of its own, with all tools acting in turn on the same window. `only` names applications, such as `mcp gtk3`, or acts of them, such as `mcp gtk3 press`. */
export async function runActs(say: Say, only: RegExp | undefined): Promise<Figure[]> {
  const isWhole = (name: string): boolean => only === undefined || only.test(`mcp ${name}`);
  const isPartOf = (name: string, act: ActName): boolean =>
    isWhole(name) || only?.test(`mcp ${name} ${act}`) === true;
  const chosen = PARTS.filter(([name]) => isWhole(name) || ACTS.some((act) => isPartOf(name, act)));
  if (chosen.length === 0) return [];
  say('building');
  const program = await Program.build();
  const figures: Figure[] = [];
  try {
    for (const [name, part] of chosen) {
      const stage = await Stage.start(say);
      const user = await program.user(name.replaceAll(' ', '-'), stage.desktop.environment);
      try {
        figures.push(
          ...(await withTools(stage, user, say, (tools) =>
            part(stage, tools, say, (act) => isPartOf(name, act)),
          )),
        );
      } catch (error) {
        // One application that is missing or fails must not cost the others their figures.
        const problem = error instanceof Error ? error.message : String(error);
        say(`${name}: ${problem}`);
        figures.push({ what: `${name}: not measured`, value: 0, unit: 'acts', note: problem.slice(0, 300) });
      } finally {
        await user.stop().catch(() => undefined);
        await stage.stop();
      }
    }
  } finally {
    await program.remove();
  }
  return figures;
}

async function withTools(
  stage: Stage,
  user: User,
  say: Say,
  work: (tools: Tools) => Promise<Figure[]>,
): Promise<Figure[]> {
  const { environment } = stage.desktop;
  const script = await XdotoolWay.start(environment);
  let problem: string | undefined;
  const peer = await CuaWay.start(environment).catch((error: unknown) => {
    problem = error instanceof Error ? error.message : String(error);
    say(`without cua-driver: ${problem}`);
    return undefined;
  });
  await user.desk('status');
  const ours = await McpWay.start(user);
  try {
    const figures = await work({ ours, script, peer });
    return problem === undefined
      ? figures
      : [...figures, { what: 'cua-driver', value: 0, unit: 'acts', note: `cannot be measured: ${problem}` }];
  } finally {
    await ours.close();
    await peer?.close();
  }
}

async function subjectFigures(
  subject: RecordingSubject,
  tools: Tools,
  say: Say,
  isChosen: (act: ActName) => boolean,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  try {
    const window = await windowOf(tools.ours, subject.pid);
    for (const one of FIXTURE_CASES.filter(({ act }) => isChosen(act))) {
      // Our page has no menu bar.
      if (one.act === 'menu' && !FIXTURES.some((kind) => kind === subject.name)) continue;
      say(`${subject.name}: ${one.act}`);
      try {
        const results = await inTurn(one, waysOf(tools), { subject, window, say });
        figures.push(...actFigures(subject.name, one.act, results));
      } catch (error) {
        // The other acts can still be measured.
        const problem = error instanceof Error ? error.message : String(error);
        figures.push({
          what: `${subject.name}: ${one.act}: not measured`,
          value: 0,
          unit: 'acts',
          note: problem,
        });
      }
    }
    return figures;
  } finally {
    await subject.close();
  }
}
