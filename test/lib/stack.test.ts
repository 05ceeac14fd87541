// A synthesis takes longer than the tests of a template. These tests are in one test file, so that they share each synthesis.
import './stack/releases.ts';
import './stack/resources.ts';
import './stack/template.ts';
// The checks need only constructs. They accept stacks that the other tests have synthesized.
import './stack/checks.ts';
