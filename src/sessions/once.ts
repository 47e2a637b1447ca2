/** A resource that is opened at most once. */
export interface Once<T> {
  get(): Promise<T>;
  /** The resource, if it was opened. */
  current(): Promise<T> | undefined;
}

/** Calls `open` once; after a failure, the next call tries again. */
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
