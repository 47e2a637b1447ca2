/** The formula of a cell as its application reports it. */
export interface ReportedFormula {
  /** With its sign of equality. */
  readonly text: string;
  /** The report ends before the formula does. */
  readonly isCut: boolean;
}

/**
 * LibreOffice puts a backslash before marks that separate attributes, and ATK ends the attribute at the first colon or semicolon all the same, so that
 * the report of such a formula ends with a backslash.
 */
export function readFormula(reported: string | undefined): ReportedFormula | undefined {
  if (reported === undefined || reported === '') return undefined;
  const plain = reported.replaceAll(/\\([\s\S])/g, '$1');
  const isCut = /(?:^|[^\\])(?:\\\\)*\\$/.test(reported);
  return { text: `=${(isCut ? plain.slice(0, -1) : plain).replace(/^=/, '')}`, isCut };
}
