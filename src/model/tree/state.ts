/**
 * States of an element, listed only if true, so an ordinary button has none.
 * Names follow ARIA states where ARIA has one (checked, expanded, …).
 */
export const STATES = [
  'active',
  'busy',
  'checked',
  'collapsed',
  'defunct',
  'disabled',
  'editable',
  'expanded',
  'focusable',
  'focused',
  'hidden',
  'hovered',
  'indeterminate',
  'invalid',
  'minimized',
  'modal',
  'multiline',
  'multiselectable',
  'offscreen',
  'pressed',
  'protected',
  'readonly',
  'required',
  'selectable',
  'selected',
  'visited',
] as const;
export type State = (typeof STATES)[number];
