/** Whether processes of the same user may read and trace this one. A confined program shares the Landlock domain of the thread that started
 * it, so Landlock would allow both through that thread. A process that is not dumpable requires CAP_SYS_PTRACE. */
export const PR_SET_DUMPABLE = 4;

/** Makes this process the parent of its orphaned descendants. */
export const PR_SET_CHILD_SUBREAPER = 36;
