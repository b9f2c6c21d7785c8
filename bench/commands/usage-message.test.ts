import { expect, it } from 'vitest';
import { usageMessage } from './usage-message.js';

const OPTIONS = ['help', 'updates', 'snapshot-frequencies', 'output'];

it.each([
  [
    'Unknown argument: snapshot-frequency',
    ['--snapshot-frequency', '5'],
    'There is no option --snapshot-frequency; did you mean --snapshot-frequencies?',
  ],
  ['Unknown argument: update', ['--update=5'], 'There is no option --update; did you mean --updates?'],
  ['Unknown argument: rounds', ['--rounds'], 'There is no option --rounds.'],
  [
    'Unknown argument: 200',
    ['--updates', '100', '200'],
    "'200' is not expected here; a list is one value, with commas and without spaces.",
  ],
  [
    'Unknown arguments: update, 7',
    ['--update', '7'],
    "There is no option --update; did you mean --updates? '7' is not expected here; a list is one value, with commas and without spaces.",
  ],
  ['Not enough non-option arguments: got 0, need at least 1', [], 'A file is missing: name at least one.'],
  ['Not enough arguments following: csv', ['--csv'], '--csv needs a value.'],
  ['Name a command.', [], 'Name a command.'],
  ['Did you mean channels?', ['chanels'], 'Did you mean channels?'],
])('%s with %j becomes a sentence with the way out', (message, argv, sentence) => {
  expect(usageMessage(message, argv, OPTIONS)).toBe(sentence);
});
