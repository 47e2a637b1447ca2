/** A file in HOME, by its path, with which password managers can be worked: they are denied by default. */
export const PASSWORD_MANAGERS_ALLOWED = {
  '.config/deskterity/policy.toml': '[applications]\nexcept = ["password managers"]\n',
} as const;
