/**
 * How long it takes to read a window of real applications: its whole tree compared with pyatspi, and what is on screen compared with the application's
 * own service time.
 *
 * Fairness. pyatspi runs in a new process each time; starting it and importing pyatspi is not counted. The goals are for a peer with an empty cache.
 * libatspi fills its cache from the application's bulk cache while it searches for the window, so the cache is cleared before the walk. The cost of a
 * one-shot script, including finding the window and with its cache left filled, is a separate figure. Our side starts each run without any
 * connection. Both sides read role, name, states, box and names of actions of every element; ours also reads values, texts and labels. They take
 * turns in the same window, and each row reports how many elements either side saw: a difference of more than 2 % is not judged. Both limit a sheet
 * to its visible range. The floor is the time for the same messages, encoded beforehand and sent at once, with replies counted but not decoded.
 */
import { CannotMeasure, type Figure, type Report, type Say } from './support/figures.ts';
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
  if (chosen.length === 0) throw new CannotMeasure(`No application matches ${only.source}.`);
  for (const subject of chosen) {
    // One desktop each, so that no application is measured while another one animates.
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
