import type { Task } from '../task.ts';
import { FOLDERS } from './folders.ts';
import { FORM_SERVER } from './form-server.ts';
import { OFFICE_FILES } from './office-files.ts';
import { STORED_DATA } from './stored-data.ts';
import { TEXT_FILES } from './text-files.ts';

/** All tasks, grouped by what judges them. */
export const TASKS: readonly Task[] = [
  ...TEXT_FILES,
  ...OFFICE_FILES,
  ...FORM_SERVER,
  ...FOLDERS,
  ...STORED_DATA,
];
