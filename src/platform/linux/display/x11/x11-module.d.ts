// The npm package `x11` ships no declarations. Only the door, x11-library.ts, may import it; it narrows `unknown` there.
declare module 'x11' {
  const library: {
    readonly createClient: (options: object, ready: (error: unknown, display: unknown) => void) => unknown;
  };
  export default library;
}
