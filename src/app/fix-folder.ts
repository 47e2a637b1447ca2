export { fixFolder } from '../operations/confinement/fixed-folder.ts';
