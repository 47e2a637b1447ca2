/** Terms of one operating system, display server or toolkit bus; only src/platform may use them. */
const WORDS =
  /\b(?:x11|xtest|xkb|xvfb|x server|at-spi|atspi|d-bus|dbus|landlock|seccomp|bubblewrap|seatbelt|wayland|libei|abstract socket)\b|(?<![\w.])\/proc\b|(?<![\w.])\/sys\/|_NET_WM_\w+/gi;

/** Exceptions, because users set or read them: environment variables, keys of the configuration, and the list of its sandboxes. */
const NAMES = /\bSANDBOX_NAMES = \[[^\]]*\]|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\bsandbox\.level\b/g;

/** Lines of a file that name a platform, as `line: word`. */
export function platformWords(text) {
  return text.split('\n').flatMap((line, at) => {
    const words = [...line.replaceAll(NAMES, '').matchAll(WORDS)].map(([word]) => word);
    return words.map((word) => ({ line: at + 1, word }));
  });
}
