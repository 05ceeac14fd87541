import { settingNames } from '../../../lambdas/contract/dog-settings.ts';
import type { Group, Section } from '../command.ts';
import { urlVariable } from '../service.ts';
import { barkRow, barkView, dogView, scheduleView } from '../views.ts';

const dog = { dog: 'the ID of the dog' };
const bark = { ...dog, bark: 'the ID of the bark' };

/** The options of the commands that call the HTTP API. */
const access = ['url', 'user'] as const;

/** These commands do not name the resource, because the program itself is named `dogs`. */
const commands: Section['commands'] = {
  list: {
    summary: 'list the dogs',
    options: ['limit', ...access],
    example: '--limit 20',
    load: async () => (await import('../commands/dogs.ts')).listDogs,
  },
  get: {
    summary: 'show a dog with its latest barks and its next bark',
    arguments: dog,
    options: access,
    times: ['previous', 'next'],
    forPeople: dogView,
    example: 'rex',
    load: async () => (await import('../commands/dogs.ts')).getDog,
  },
  create: {
    summary: 'create a dog',
    arguments: dog,
    options: [...settingNames, ...access],
    example: 'rex --email rex@example.com --bark-effects emailDog,count',
    load: async () => (await import('../commands/dogs.ts')).createDog,
  },
  replace: {
    summary: 'replace the settings of a dog',
    details:
      'Settings that you omit are reset to their defaults. The dog keeps its count, barks and schedule.',
    arguments: dog,
    options: [...settingNames, ...access],
    example: 'rex --bark-effects record --bark-handling async',
    load: async () => (await import('../commands/dogs.ts')).replaceDog,
  },
  update: {
    summary: 'change some settings of a dog',
    details:
      'Settings that you omit do not change. An empty value, as in --owner "", removes a setting that has no default.',
    arguments: dog,
    options: [...settingNames, ...access],
    example: 'rex --bark-handling async --owner ""',
    load: async () => (await import('../commands/dogs.ts')).updateDog,
  },
  delete: {
    summary: 'delete a dog, its barks and its schedule',
    arguments: dog,
    options: ['yes', ...access],
    question: (_, id) => `This deletes the dog "${id}", its barks and its schedule.`,
    example: 'rex --yes',
    load: async () => (await import('../commands/dogs.ts')).deleteDog,
  },
  bark: {
    summary: 'make a dog bark',
    details:
      'An asynchronous bark happens later, and can be cancelled for a few seconds. With --wait, the command waits until the bark is no longer pending, and fails if the bark failed or was cancelled.',
    arguments: dog,
    options: ['message', 'async', 'wait', 'idempotencyKey', ...access],
    times: ['timestamp'],
    forPeople: barkView,
    example: 'rex --message "Good morning" --async --wait',
    load: async () => (await import('../commands/barks.ts')).bark,
  },
};

const groups: Readonly<Record<string, Group>> = {
  barks: {
    summary: 'the barks of a dog',
    commands: {
      list: {
        summary: 'list the recorded barks of a dog, newest first',
        arguments: dog,
        options: ['limit', ...access],
        times: ['timestamp'],
        forPeople: barkRow,
        example: 'rex --limit 20',
        load: async () => (await import('../commands/barks.ts')).listBarks,
      },
      get: {
        summary: 'show a bark, or the time of the last one',
        arguments: { ...dog, '[bark]': 'the ID of the bark' },
        options: ['wait', ...access],
        times: ['timestamp'],
        forPeople: barkView,
        example: 'rex a01KAJ6W1T8N5Q6ZC2M7V4R3XDB --wait',
        load: async () => (await import('../commands/barks.ts')).getBark,
      },
      cancel: {
        summary: 'cancel an asynchronous bark that has not begun',
        arguments: bark,
        options: access,
        example: 'rex a01KAJ6W1T8N5Q6ZC2M7V4R3XDB',
        load: async () => (await import('../commands/barks.ts')).cancelBark,
      },
    },
  },
  schedule: {
    summary: 'the bark schedule of a dog',
    commands: {
      get: {
        summary: 'show the last and the next scheduled bark of a dog',
        arguments: dog,
        options: access,
        times: ['last', 'next'],
        forPeople: scheduleView,
        example: 'rex',
        load: async () => (await import('../commands/bark-schedule.ts')).getSchedule,
      },
      set: {
        summary: 'make a dog bark later or repeatedly',
        arguments: dog,
        options: ['next', 'frequency', 'replace', ...access],
        times: ['last', 'next'],
        forPeople: scheduleView,
        example: 'rex --next 2027-01-01T09:00 --frequency 1440',
        load: async () => (await import('../commands/bark-schedule.ts')).setSchedule,
      },
      end: {
        summary: 'end the schedule of a dog',
        arguments: dog,
        options: ['yes', ...access],
        question: (_, id) => `This ends the bark schedule of the dog "${id}".`,
        example: 'rex --yes',
        load: async () => (await import('../commands/bark-schedule.ts')).endSchedule,
      },
    },
  },
};

/** The commands that act with a user's credentials for the HTTP API. */
export const dogSection: Section = {
  heading: 'Dogs, with the credentials of a user:',
  commands,
  groups,
  variables: {
    ...urlVariable,
    DOGS_USER: 'the user (default: the first user of the local service)',
    DOGS_PASSWORD: "the user's password (default: that of the local first user; otherwise, the command asks)",
  },
};
