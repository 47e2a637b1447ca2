/** Resolves when the step is done, or when its time is up. */
export async function within(step: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([step, limit]);
  clearTimeout(timer);
}
