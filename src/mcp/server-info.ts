import type { Implementation } from './sdk.ts';

/** A pointer in a window. In the address itself, so that showing it asks nobody on the network. */
const ICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">',
  '<rect x="4" y="7" width="40" height="34" rx="5" fill="#1f2937"/>',
  '<path d="M4 16h40" stroke="#9ca3af" stroke-width="2"/>',
  '<path d="M20 20l14 9-6.5 1.2 3.5 6.3-3 1.6-3.4-6.4L20 36z" fill="#f59e0b"/>',
  '</svg>',
].join('');

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
