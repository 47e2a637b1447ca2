import { eachUp } from './draft.ts';
import type { Pass } from './draft.ts';

/** GTK 3 and LibreOffice report an entry of a menu bar as a menu; in ARIA the element that opens a menu is a menu item, which gets a ref. */
export const nameMenuOpeners: Pass = (root) => {
  eachUp(root, (parent) => {
    if (parent.role !== 'menubar' && parent.role !== 'menu') return;
    for (const child of parent.children)
      if (child.role === 'menu' && child.name !== '') child.role = 'menuitem';
  });
};
