/**
 * How long it takes to read a window of real applications: its whole tree beside pyatspi, and what is on screen beside the application's own
 * service time.
 *
 * Fairness. pyatspi runs in a new process each time; starting it and importing pyatspi is not counted. The goals are for a peer with an empty
 * cache, as in the field notes (§3.5, "cold"): libatspi itself fills its cache from the application's bulk cache while the window is looked for,
 * so that it is emptied before the walk. What a one-shot script really pays, finding the window included and its cache left filled, is a
 * figure of its own. Ours begins each run without any connection. Both sides ask every element for role, name, states, box and names of
 * actions; ours also reads values, texts and labels. They take turns in the same window, and each row says how many elements either side saw:
 * more than 2 % apart and it is not judged. A sheet is cut to its visible range by both. The floor is the very messages of a read, encoded
 * beforehand and sent in one go, replies counted but not decoded.
 */
import { CannotMeasure } from './support/figures.ts';
import type { Figure, Report, Say } from './support/figures.ts';
import { onScreen } from './support/on-screen.ts';
import { Stage } from './support/stage.ts';
import { SUBJECTS } from './support/subjects.ts';
import { wholeTree } from './support/whole-tree.ts';

export async function run(options: {
  readonly say: Say;
  readonly only?: RegExp | undefined;
}): Promise<Report> {
  const { say, only = /./ } = options;
  const figures: Figure[] = [];
  const chosen = SUBJECTS.filter((subject) => only.test(subject.name));
  if (chosen.length === 0) throw new CannotMeasure(`No application is called ${only.source}.`);
  for (const subject of chosen) {
    // A desktop each: nobody is measured while another one animates.
    const stage = await Stage.start(say);
    try {
      const open = await stage.open(subject);
      say(`${subject.name}: what is on screen`);
      figures.push(...(await onScreen(stage, subject, open)));
      say(`${subject.name}: whole tree`);
      figures.push(...(await wholeTree(stage, subject, open)));
      await stage.mustLive(subject, open);
    } finally {
      await stage.stop();
    }
  }
  return { name: 'cold-snapshot', figures };
}
