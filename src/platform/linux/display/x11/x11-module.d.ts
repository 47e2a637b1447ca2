// The npm package `x11` has no type declarations. Only x11-library.ts may import it, and narrows `unknown` there.
declare module 'x11' {
  const library: {
    readonly createClient: (options: object, ready: (error: unknown, display: unknown) => void) => unknown;
  };
  export default library;
}
