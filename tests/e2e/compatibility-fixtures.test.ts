import { testCompatibility } from './support/compatibility/suite.ts';

testCompatibility('fixtures', ['GTK 3', 'GTK 4', 'Qt 5', 'Qt 6']);
