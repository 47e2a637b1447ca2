/** Wraps functions about a thing, which their first argument names: they run only if the check of that name has passed. */
export function afterCheck(
  check: (id: string) => Promise<unknown>,
): <A extends readonly unknown[], R>(
  step: (id: string, ...rest: A) => Promise<R>,
) => (id: string, ...rest: A) => Promise<R> {
  return (step) =>
    async (id, ...rest) => {
      await check(id);
      return step(id, ...rest);
    };
}
