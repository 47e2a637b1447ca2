/**
 * Adds the figures of one part (`--only`) to what was recorded of a benchmark before, so that long ones can be measured part by part. A figure that was
 * measured again replaces the earlier one; each part tells when it ran, on which commit and under which load. A run of everything replaces all.
 * @param {object | undefined} earlier @param {object} now
 */
export function mergeBench(earlier, now) {
  if (now.only === undefined) return now;
  const { only, machine, date, commit } = now;
  const part = { only, date, commit, load_after: machine.load_after };
  const sameMachine =
    earlier !== undefined && MACHINE.every((fact) => earlier.machine[fact] === machine[fact]);
  // One number must not stand beside one of another machine.
  if (!sameMachine) return withoutOnly({ ...now, parts: [part] });
  const measured = new Set(now.figures.map(({ what }) => what));
  const parts = [...(earlier.parts ?? [wholeOf(earlier)]).filter((each) => each.only !== only), part];
  return withoutOnly({
    ...now,
    machine: { ...machine, load_after: Math.max(...parts.map((each) => each.load_after)) },
    parts,
    figures: [...earlier.figures.filter(({ what }) => !measured.has(what)), ...now.figures],
  });
}

const MACHINE = ['node', 'system', 'processors', 'processor'];

/** A run of everything, as the part that it is once others are added. */
function wholeOf({ date, commit, machine }) {
  return { only: '.', date, commit, load_after: machine.load_after };
}

function withoutOnly({ only: _only, ...rest }) {
  return rest;
}
