// Node loads this module before each npm script. An old version of Node must be able to run this
// module, so it has no newer syntax.
import { isOld, tooOld } from '../tools/node/version.mjs';

if (isOld) {
  console.error(tooOld);
  process.exit(1);
}

// npm sends SIGTERM only to the shell that runs the script, and most shells do not forward the signal. Therefore a script
// ends when its shell ends. On Windows, this check has no effect, because `process.ppid` does not change there.
const shell = process.ppid;
const checkIntervalMs = 100;
setInterval(() => {
  if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
}, checkIntervalMs).unref();
