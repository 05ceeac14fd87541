// The command `npm start`. Old versions of Node must be able to run this module, so it avoids newer syntax. It is JavaScript
// because only the compile cache, which it enables, spares Node the module that removes types.
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
