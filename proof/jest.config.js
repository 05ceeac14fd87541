import { resolve } from 'node:path';
import service from '../jest.config.js';

const rootDir = resolve(import.meta.dirname, '..');

/** A project with the settings of one of the service's projects. */
const like = (name, displayName, files) => ({
  ...service.projects.find((project) => project.displayName === name),
  rootDir,
  roots: [import.meta.dirname],
  displayName,
  testRegex: files,
});

export default {
  ...service,
  projects: [
    like('unit', 'proof', '/proof/([^/]*|bench/[^/]*)\\.test\\.ts$'),
    like('start', 'load', '/proof/load/[^/]*\\.test\\.ts$'),
  ],
};
