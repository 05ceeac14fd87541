// Node loads this module before `npm start`. The variable enables the compile cache of the child process as well.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../.build/compile-cache', import.meta.url));
process.env.NODE_COMPILE_CACHE ??= folder;
enableCompileCache(process.env.NODE_COMPILE_CACHE);
