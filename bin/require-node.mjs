// Node loads this module before all others. An old version of Node must be able to run it, so it has no newer syntax.
import { isOld, requiredMajor } from '../tools/node/version.mjs';

if (isOld) {
  console.error(
    `This is Node ${process.versions.node}, but the service needs Node ${requiredMajor} or later. Run \`npm ci\` with this ` +
      `version of Node: without --ignore-scripts, it installs Node ${requiredMajor} for the npm scripts.`,
  );
  process.exit(1);
}
