import { readFileSync } from 'node:fs';
import { projectFiles } from '../files.ts';
import { findingsIn } from './rules.ts';
import { textsOf } from './texts.ts';

/** The files that are not checked, each with the reason. */
const exempt: readonly { readonly files: RegExp; readonly because: string }[] = [
  { files: /(?:^|\/)package-lock\.json$/, because: 'npm writes it' },
  { files: /^LICENSE$/, because: 'the Apache Software Foundation wrote it' },
  { files: /^client\/schema\.ts$/, because: 'npm run openapi writes it' },
  { files: /\.png$/, because: 'it is an image' },
  { files: /^tools\/prose\/rules\.ts$|^test\/tools\/prose\.test\.ts$/, because: 'it lists the words' },
];

const files = projectFiles().filter((path) => !exempt.some(({ files }) => files.test(path)));
let count = 0;
for (const path of files)
  for (const { line, text } of textsOf(path, readFileSync(path, 'utf8')))
    for (const finding of findingsIn(text, line)) {
      count += 1;
      console.log(`${path}:${finding.line}: "${finding.found}": write ${finding.instead}.`);
    }
console.log(`${count} words to replace in ${files.length} files.`);
process.exitCode = count > 0 ? 1 : 0;
