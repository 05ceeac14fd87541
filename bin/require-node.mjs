// Loaded before the rest, by whatever Node runs: it must tell an old one what is missing in words that it understands.
const needed = 24;
if (Number.parseInt(process.versions.node, 10) < needed) {
  console.error(
    `Node ${needed} or later is needed, and this is Node ${process.versions.node}. npm scripts bring their own, ` +
      'which `npm ci` installs unless --ignore-scripts keeps it from doing so: run `npm rebuild node`.',
  );
  process.exit(1);
}
