/**
 * Variables that a daemon is started with and removes, so that programs it starts do not inherit them. The C library of Linux reads them when a process
 * starts; others ignore them.
 */
export const DAEMON_VARIABLES: Readonly<Record<string, string>> = {
  // Larger blocks are given back to the system when they are freed. By default this limit grows to the size of whatever was freed, so that the buffers of
  // pictures leave holes in the heap for ever: 27 MB after a thousand commands, instead of 5.
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
};
