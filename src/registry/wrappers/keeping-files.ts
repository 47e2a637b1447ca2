import { overlay } from '../../model/overlay.ts';
import type { Policy } from '../../model/policy/verdict.ts';
import { quoteClipped, reveal } from '../../model/text/untrusted-text.ts';
import { policyDenied } from '../../policy/policy-error.ts';
import type { FilesPort } from '../../ports/files.ts';

/** In the mode `sandboxed` nothing is changed: a picture is written only where nothing is yet. */
export function keepingFiles({ mode }: Pick<Policy, 'mode'>, files: FilesPort): FilesPort {
  if (mode !== 'sandboxed') return files;
  return overlay<FilesPort, 'read' | 'find'>(files, ['read', 'find'], {
    writeAtomic: async (path, data, options) => {
      if ((await files.find(path)) !== undefined) throw wouldReplace(path);
      await files.writeAtomic(path, data, options);
    },
  });
}

function wouldReplace(path: string): Error {
  const why = 'In this mode files are not replaced.';
  const verdict = { decision: 'deny', rule: 'mode sandboxed', why } as const;
  return policyDenied(`writing over ${quoteClipped(reveal(path))}`, verdict).with({
    suggestion: 'Give the name of a file that does not exist yet.',
  });
}
