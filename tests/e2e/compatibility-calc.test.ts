import { testCompatibility } from './support/compatibility/suite.ts';

testCompatibility('calc', ['LibreOffice Calc']);
