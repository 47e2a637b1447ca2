import type { Implementation } from './sdk.ts';

/**
 * A pointer in a window. In the address itself, so that showing it asks nobody on the network; small, because clients of the modern era get it with
 * every answer.
 */
const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><path d='M1 3h22v18H1z'/><path d='M9 8l9 6-6 1-3 5z' fill='#fa0'/></svg>";

/** Who serves, as clients show it. */
export function serverInfo(version: string): Implementation {
  return {
    name: 'deskterity',
    title: 'Deskterity',
    version,
    description: 'Eyes and hands on desktop applications, through their accessibility trees.',
    icons: [
      {
        src: `data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}`,
        mimeType: 'image/svg+xml',
        sizes: ['any'],
      },
    ],
  };
}
