import type { ResolvedConfiguration } from '../configuration/config.ts';

/** Whether pictures are without password fields: unless the user's own file says otherwise, which no caller can with a variable. */
export function blanksPasswords({
  values,
  entries,
}: Pick<ResolvedConfiguration, 'values' | 'entries'>): boolean {
  if (values.redaction.password_fields) return true;
  return !entries.some(({ key, source }) => key === 'redaction.password_fields' && source === 'file');
}
