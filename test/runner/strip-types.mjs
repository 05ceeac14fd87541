import { stripTypeScriptTypes } from 'node:module';

/** Lets Jest's default runner load TypeScript as Node does: types become white space, so that lines and columns stay the same. */
export default { process: (code) => ({ code: stripTypeScriptTypes(code) }) };
