import { createPlatform } from '../../platform/select.ts';
import { runHolder } from './run-holder.ts';

await runHolder(process.argv.slice(2), createPlatform());
