import { testCompatibility } from './support/compatibility/suite.ts';

testCompatibility('swing', ['Swing']);
