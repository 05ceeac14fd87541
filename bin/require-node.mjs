// Node loads this module before all others. Old versions of Node must be able to parse it, so it uses only old syntax.
const needed = 24;
if (Number.parseInt(process.versions.node, 10) < needed) {
  console.error(
    `This is Node ${process.versions.node}, but the service needs Node ${needed} or later. \`npm ci\` installs Node for the ` +
      'npm scripts, except with --ignore-scripts. Run `npm rebuild node`.',
  );
  process.exit(1);
}
