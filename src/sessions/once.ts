/** Something that is opened at most once. */
export interface Once<T> {
  get(): Promise<T>;
  /** What was opened, when anything was. */
  current(): Promise<T> | undefined;
}

/** Calls `open` once; a failure is not kept, so that the next call tries again. */
export function once<T>(open: () => Promise<T>): Once<T> {
  let opened: Promise<T> | undefined;
  const get = async () => {
    const attempt = (opened ??= open());
    try {
      return await attempt;
    } catch (error) {
      if (opened === attempt) opened = undefined;
      throw error;
    }
  };
  return { get, current: () => opened };
}
