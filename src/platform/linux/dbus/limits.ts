/** Limits of the D-Bus specification ("Message Format", "Valid Signatures"), in bytes or levels. */
export const MAX_MESSAGE = 128 * 1024 * 1024;
export const MAX_ARRAY = 64 * 1024 * 1024;
export const MAX_SIGNATURE = 255;
export const MAX_NAME = 255;
export const MAX_ARRAY_DEPTH = 32;
export const MAX_STRUCT_DEPTH = 32;
/** Arrays, structs and variants together, counted through variants. */
export const MAX_DEPTH = 64;

/**
 * Array elements one body may decode to. Our own limit: a 64 MiB array of empty arrays would otherwise become
 * gigabytes of JavaScript objects and seconds of work. A tree of 100,000 accessible nodes in one message is about
 * 800,000.
 */
export const MAX_ELEMENTS = 1024 * 1024;
