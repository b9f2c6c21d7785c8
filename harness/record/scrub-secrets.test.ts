import { expect, test } from 'vitest';
import { hideSecretsOf, scrub } from './scrub.js';

test.each([
  ['a plain password', 'postgresql://ada:Plain-S3cret@host/db', 'Plain-S3cret'],
  ['one with an @ and a colon', 'postgresql://ada:at@co:lon@host:5432/db', 'at@co:lon'],
  ['one that is percent-encoded', 'postgresql://ada:per%27cent%2F9@host/db', "per'cent/9"],
  ['one with quotes, as Node prints it', `postgresql://ada:qu"o'te@host/db`, String.raw`qu\"o'te`],
  ['one in the query', 'postgresql://host/db?user=ada&password=in%20query', 'in query'],
  ['one of a URI that cannot be read', 'postgresql://ada:unread4ble@one:1,two:2/db', 'unread4ble'],
])('hides %s wherever it stands, once its URI is known', (_, uri, meant) => {
  const text = `before ${meant} after`;
  expect(scrub(text)).toBe(text);
  hideSecretsOf(uri);
  expect(scrub(text)).toBe('before *** after');
  expect(scrub(`input: '${uri}'`)).not.toContain(meant);
});

test('leaves words alone that are passwords of many', () => {
  hideSecretsOf('postgresql://postgres:postgres@localhost/postgres');
  hideSecretsOf('postgresql://ada:a@localhost/postgres');
  hideSecretsOf('postgresql://localhost/postgres');
  expect(scrub('postgres has an answer')).toBe('postgres has an answer');
});
