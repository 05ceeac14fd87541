import { stackTests } from '../support/extensions.ts';
// A synthesis takes longer than the tests of a template. These tests are in one test file, so that they share each synthesis.
import './stack/resources.ts';
import './stack/template.ts';
// The checks need only constructs. They accept stacks that the other tests have synthesized.
import './stack/checks.ts';

for (const file of stackTests) await import(file);
