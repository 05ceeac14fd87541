// The command `npm start`. Old versions of Node must be able to run this module, so it avoids newer syntax. It is JavaScript,
// because it enables the compile cache, without which Node would have to load its type stripper to run TypeScript.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { explainMissingPackage } from '../tools/node/packages.mjs';
import { isOld, tooOld } from '../tools/node/version.mjs';

if (isOld) {
  console.error(tooOld);
  process.exit(1);
}
// The variable also enables the compile cache in child processes.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.build/compile-cache', import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
await import('./start/main.ts').catch(explainMissingPackage);
