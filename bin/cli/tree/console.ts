import type { Section } from '../command.ts';
import { urlVariable } from '../service.ts';

export const consoleSection: Section = {
  heading: 'Console:',
  commands: {
    open: {
      summary: 'open the console in the browser',
      details: 'If the service runs on this machine, the command also signs the browser in.',
      options: ['url'],
      load: async () => (await import('../commands/console.ts')).openConsole,
    },
    'sign-in': {
      summary: 'print a new link to the console of the local service',
      details:
        'The link signs a browser in. It works once, for 15 minutes, and only until there is a newer one. Only an operating-system user with access to DATA_DIR can create it.',
      load: async () => (await import('../commands/console.ts')).signIn,
    },
  },
  variables: urlVariable,
};
