import type { Section } from './command.ts';
import { accessGroups } from './tree/access.ts';
import { consoleSection } from './tree/console.ts'; // @extension console
import { dogSection } from './tree/dogs.ts'; // @extension cli
import { accountGroups, resourceGroups } from './tree/resources.ts'; // @extension cli

/** In the order of the help. */
export const sections: readonly Section[] = [
  dogSection, // @extension cli
  consoleSection, // @extension console
  {
    heading: 'Operation, with AWS credentials:',
    groups: {
      ...accountGroups, // @extension cli
      ...accessGroups,
      ...resourceGroups, // @extension cli
    },
  },
];
