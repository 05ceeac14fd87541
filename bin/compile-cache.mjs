// Node loads this module before the script of `npm start`. The environment variable also enables the compile cache in child
// processes.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../.build/compile-cache', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= folder;
enableCompileCache(process.env.NODE_COMPILE_CACHE);
