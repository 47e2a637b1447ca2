/** Groups of two or more nodes that reach each other (Tarjan's strongly connected components), each sorted by name. */
export function cycles(edges) {
  const found = [];
  const index = new Map();
  const low = new Map();
  const open = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    open.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (open.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const members = open.splice(open.indexOf(node));
    if (members.length > 1) found.push(members.toSorted((a, b) => (a < b ? -1 : 1)));
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return found;
}
