import { eachUp } from './draft.ts';
import type { Pass } from './draft.ts';

/** GTK 3 and LibreOffice call an entry of a menu bar a menu; what a user clicks to open one is a menu item in ARIA, and needs a ref. */
export const nameMenuOpeners: Pass = (root) => {
  eachUp(root, (parent) => {
    if (parent.role !== 'menubar' && parent.role !== 'menu') return;
    for (const child of parent.children)
      if (child.role === 'menu' && child.name !== '') child.role = 'menuitem';
  });
};
