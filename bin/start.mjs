// The command `npm start`. An old version of Node must be able to run this module, so it avoids newer syntax. It is
// JavaScript, because Node runs TypeScript without its type stripper only from the compile cache, which this module enables.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { isOld, tooOld } from '../tools/node/version.mjs';

if (isOld) {
  console.error(tooOld);
  process.exit(1);
}
// The variable also enables the compile cache in child processes.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.build/compile-cache', import.meta.url));
module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
await import('./start/main.ts');
