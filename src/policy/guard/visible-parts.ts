import { intersect, type Bounds } from '../../model/tree/bounds.ts';

/** What is left of a rectangle without another one, as up to four rectangles. */
export function without(area: Bounds, removed: Bounds): Bounds[] {
  const common = intersect(area, removed);
  if (common === undefined) return [area];
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  const [commonRight, commonBottom] = [common.x + common.width, common.y + common.height];
  return [
    { x: area.x, y: area.y, width: area.width, height: common.y - area.y },
    { x: area.x, y: commonBottom, width: area.width, height: bottom - commonBottom },
    { x: area.x, y: common.y, width: common.x - area.x, height: common.height },
    { x: commonRight, y: common.y, width: right - commonRight, height: common.height },
  ].filter(({ width, height }) => width > 0 && height > 0);
}
