/**
 * How long it takes to read a window of real applications: its whole tree beside pyatspi, and what is on screen beside the application's own
 * service time.
 *
 * Fairness. The peer is a one-shot caller: each run is a new Python process with nothing cached; starting it and importing pyatspi is not
 * counted, nor is finding the window (there is a figure with it). Ours begins each run without any connection as well. Both sides ask every
 * element for role, name, states, box and names of actions; ours also reads values, texts and labels. They take turns in the same window, and
 * each row says how many elements either side saw: more than 2 % apart and it is not judged. A sheet is cut to its visible range by both.
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
