import { z } from 'zod';

/** The answer to a question for roots. One that is no address of a file must not hide the others, as in the library's own schema. */
export const NamedRoots = z.looseObject({
  roots: z.array(z.looseObject({ uri: z.string(), name: z.string().optional() })),
});
