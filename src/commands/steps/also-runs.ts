/** Commands that steps may be for clients that are not offered them, because what they do can be done with others. */
export const ALSO_RUNS = [
  'clear',
  'close-window',
  'collapse',
  'double-click',
  'expand',
  'expect',
  'focus',
  'focus-window',
  'focused',
  'is',
  'menu',
  'right-click',
];
