/** Options of `prctl` for this process, with what they are for. */

/** Whether others of the same user may read and trace this process. A confined program is in the Landlock domain of the thread that started it,
 * so that Landlock would let it do both through that thread. Of a process that is not dumpable nobody may without CAP_SYS_PTRACE. */
export const PR_SET_DUMPABLE = 4;

/** Orphans of what we start come to us instead of leaving our sight. */
export const PR_SET_CHILD_SUBREAPER = 36;
