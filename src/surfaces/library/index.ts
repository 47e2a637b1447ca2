/** The library: `import { Desktop } from 'deskterity'`. */
export { Desktop } from './desktop.ts';
export type { OpenOptions, OpenPrivateOptions, SnapshotSinceInput } from './desktop.ts';
export { DeskterityError } from './failure.ts';
export type { DeskterityErrorClass, FailureDetails } from './failure.ts';
export type { PropertyAnswer, PropertyInput, PropertyValues, TreeStats } from './property.ts';
export type { Snapshot, SnapshotHelpers, UsableNode, WindowChanges } from './snapshot.ts';
export type * from './commands.generated.ts';
