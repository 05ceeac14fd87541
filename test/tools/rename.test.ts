import { hasNewWord, renamed, wordsOf } from '../../tools/rename.ts';

const words = wordsOf(['dog=issue', 'bark=reply', 'barked=replied', 'barking=replying']);

describe('npm run rename', () => {
  test.each([
    ['const newDog = dogs.get(dogId);', 'const newIssue = issues.get(issueId);'],
    [
      'DOGS_TABLE, BarkOnSchedule, bark-schedule, dog_id',
      'ISSUES_TABLE, ReplyOnSchedule, reply-schedule, issue_id',
    ],
    ['The dog barks, barked and is barking.', 'The issue replies, replied and is replying.'],
    ['A dog, a `dog` and a bark', 'An issue, an `issue` and a reply'],
    [String.raw`/\bbark/, \ndogs, jane%2Bdog`, String.raw`/\breply/, \nissues, jane%2Bissue`],
    ['a watchdog, embark, Barkley and dogma', 'a watchdog, embark, Barkley and dogma'],
  ])('turns %j into %j', (text, expected) => {
    expect(renamed(text, words)).toBe(expected);
  });

  test.each([
    ['the dog barks, and it barks', 'the ticket reminds, and it reminds'],
    [
      'to bark, must not bark, a dog that barked is barking',
      'to remind, must not remind, a ticket that reminded is reminding',
    ],
    ['a dog that barks, that bark', 'a ticket that reminds, that reminder'],
    ['two barks, a bark, the last bark', 'two reminders, a reminder, the last reminder'],
    ['the dog\n * barks; POST /v1/dogs/rex/barks', 'the ticket\n * reminds; POST /v1/tickets/rex/reminders'],
    ['the dog bark-schedule', 'the ticket reminder-schedule'],
    ['$dog/barks, dog/bark', '$ticket/reminders, ticket/reminder'],
    ['to bark, a POST to barks', 'to remind, a POST to reminders'],
    ['a dog that\n// barks, makes it\n  bark', 'a ticket that\n// reminds, makes it\n  remind'],
  ])('tells the verb from the noun: %j', (text, expected) => {
    expect(renamed(text, wordsOf(['dog=ticket', 'bark=reminder:remind']))).toBe(expected);
  });

  test.each([
    [['bark=note:write', 'barked=wrote'], 'It barked and is barking.', 'It wrote and is writing.'],
    [['bark=message:send', 'barked=sent'], 'It barks, barked.', 'It sends, sent.'],
  ])('derives the forms of the verb, unless they are given: %j', (parameters, text, expected) => {
    expect(renamed(text, wordsOf(parameters))).toBe(expected);
  });

  test('swaps two words', () => {
    expect(renamed('a dog barks', wordsOf(['dog=bark', 'bark=dog']))).toBe('a bark dogs');
  });

  test.each(['reply', 'newIssue', 'ISSUES'])(
    'finds the new word %s in a text that has it already',
    (text) => {
      expect(hasNewWord(text, words)).toBe(true);
      expect(hasNewWord('const tissue = 1;', words)).toBe(false);
    },
  );

  test.each([[[]], [['dog']], [['Dog=ticket']], [['dog=ticket', 'bark=ticket']]])(
    'refuses the words %j',
    (parameters) => {
      expect(() => wordsOf(parameters)).toThrow(/Give each word|must be two words|new word of its own/);
    },
  );
});
