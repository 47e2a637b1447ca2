import { testCompatibility } from './support/compatibility/suite.ts';

testCompatibility('web', ['Firefox', 'Chromium']);
