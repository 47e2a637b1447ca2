import type { SandboxPort } from '../../src/ports/sandbox.ts';

/** Gives commands an empty environment and no programs in the home. */
export const emptySandbox: SandboxPort = {
  preferred: 'landlock',
  isSystemFolder: () => false,
  environment: async () => ({}),
  programs: async () => [],
  level: () => Promise.reject(new Error('nobody was to try the sandbox')),
};
