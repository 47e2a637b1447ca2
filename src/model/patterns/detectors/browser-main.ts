import type { OutputNode } from '../../tree/node.ts';
import { roleSet } from '../../tree/role.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { areaOf, Screen } from '../screen.ts';
import { isAboutAddress } from '../words/subjects.ts';

const TOOLBARS = roleSet('toolbar');
const PAGES = roleSet('document');
/** An address; a path alone is what file managers show. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|[\w-]+(?:\.[\w-]+)+(?:[/?#]|$))/iu;

/** An address field in a tool bar, tabs, and a page, none of which is in the page. */
export function browserMain(screen: Screen): Finding | undefined {
  const page = screen.of('document').toSorted((one, other) => areaOf(other) - areaOf(one))[0];
  const tabs = screen.of('tablist').find((list) => !screen.isInside(list, PAGES));
  const address = screen
    .of('combobox', 'textbox', 'searchbox')
    .find((node) => screen.isInside(node, TOOLBARS) && !screen.isInside(node, PAGES) && isAddress(node));
  if (page === undefined || tabs === undefined || address === undefined) return undefined;
  if (new Screen(tabs).of('tab').length === 0) return undefined;
  return {
    pattern: 'browser_main',
    evidence: [...evidenceOf('address', [address]), ...evidenceOf('page', [page])],
  };
}

function isAddress({ name, value = '' }: OutputNode): boolean {
  return isAboutAddress(name) || ADDRESS.test(value);
}
