// Any version of Node must be able to run this module, so it avoids newer syntax.

/** Prints what to do if an import has failed because a package is not installed. Throws all other errors. */
export function explainMissingPackage(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/^Cannot find package/.test(error.message)) throw error;
  console.error('The packages of the project are not installed. Run npm ci.');
  process.exitCode = 1;
}
