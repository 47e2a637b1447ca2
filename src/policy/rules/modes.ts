import {
  SECURITY_MODES,
  type Concern,
  type PolicyRequest,
  type SecurityMode,
  type Verdict,
} from '../../model/policy/verdict.ts';

export function strictestMode(
  sources: readonly { readonly mode?: SecurityMode | undefined }[],
): SecurityMode {
  const most = Math.max(0, ...sources.map(({ mode = 'normal' }) => SECURITY_MODES.indexOf(mode)));
  return SECURITY_MODES[most] ?? 'sandboxed';
}

/** The command that runs any command line, as a tool. */
export const SHELL_TOOL = 'sandboxed_shell';

/**
 * What a mode says besides the rules. `safe`: no shells, and a person agrees to tools; that a person agrees to destructive acts, the wrapper around acts
 * sees to. `sandboxed`: nothing that changes anything.
 */
export function byMode(
  mode: SecurityMode,
  { command, tool, reach, isReadOnly, isPast }: PolicyRequest,
  concerns: readonly Concern[],
  isListedTool: boolean,
): Verdict | undefined {
  if (mode === 'normal' || isPast === true) return undefined;
  const isCommand = concerns.includes('command');
  // Only its author says that a tool changes nothing.
  if (mode === 'sandboxed' && isCommand && tool !== undefined)
    return deny(mode, 'No tools are run in this mode.');
  if (isReadOnly === true) return undefined;
  if (mode === 'sandboxed') {
    if ((isCommand && command !== undefined) || concerns.includes('terminal'))
      return deny(mode, 'Only commands that change nothing are allowed in this mode.');
    return undefined;
  }
  if (concerns.includes('terminal') || (isCommand && (reach === 'terminals' || tool === SHELL_TOOL)))
    return deny(mode, 'Shells are not used in this mode.');
  if (!isCommand || tool === undefined || isListedTool) return undefined;
  return {
    decision: 'confirm',
    rule: `mode ${mode}`,
    why: 'In this mode a person agrees to each tool that tools.allowed does not name.',
  };
}

function deny(mode: SecurityMode, why: string): Verdict {
  return { decision: 'deny', rule: `mode ${mode}`, why };
}
