import { z } from 'zod';

const Box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const Node = z.object({
  id: z.number(),
  name: z.string().nullish(),
  pid: z.number().optional(),
  visible: z.boolean().optional(),
  focused: z.boolean(),
  rect: Box,
  window_rect: Box,
  nodes: z.array(z.unknown()),
  floating_nodes: z.array(z.unknown()),
});
export type SwayNode = z.output<typeof Node>;

/** The windows in a tree of sway, tiled ones first. @param text the answer to `swaymsg -t get_tree` */
export function swayWindows(text: string): readonly SwayNode[] {
  const visit = (data: unknown): readonly SwayNode[] => {
    const node = Node.parse(data);
    const below = [...node.nodes, ...node.floating_nodes].flatMap(visit);
    return node.pid === undefined ? below : [node, ...below];
  };
  return visit(JSON.parse(text));
}
