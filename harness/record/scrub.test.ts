import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { scrub, scrubbedTail, visible } from './scrub.js';

describe('absolute paths are cut to their last segment', () => {
  test.each([
    ['/home/ada/bench/run.js', 'run.js'],
    [
      "ENOENT: no such file or directory, open '/home/ada/bench/run.jsonl'",
      "ENOENT: no such file or directory, open 'run.jsonl'",
    ],
    ['    at write (/home/ada/bench/store.js:12:34)', '    at write (store.js:12:34)'],
    ['    at file:///home/ada/bench/store.js:12:34', '    at store.js:12:34'],
    ['    at async file:///home/ada/bench/store.js:1:2 (x)', '    at async store.js:1:2 (x)'],
    ['--output=/home/ada/x/run.jsonl', '--output=run.jsonl'],
    ['[/var/lib/x/y] `/var/lib/x/y` "/var/lib/x/y",</var/lib/x/y>', '[y] `y` "y",<y>'],
    ['/usr/bin:/usr/local/bin', 'bin:bin'],
    ['/home/ada/é/ü.js and /tmp/a/b', 'ü.js and b'],
    ['/home/ada/bench/', ''],
    ['C:\\Users\\ada\\bench\\run.js', 'run.js'],
    ['open "D:\\data\\run.jsonl" failed', 'open "run.jsonl" failed'],
    ['C:/Users/ada/bench/run.js', 'C:run.js'],
  ])('%s becomes %s', (text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  test.each([
    ['in colour', '\u001b[36m/home/ada/bench/run.js\u001b[39m'],
    ['after an escaped line feed', '{"stack":"Error\\n/home/ada/bench/run.js"}'],
    ['glued to an option', 'cc -I/home/ada/include -c x.c'],
    ['of Windows with escaped backslashes', "path: 'C:\\\\Users\\\\ada\\\\run.js'"],
    ['of Windows on a share', '\\\\ada\\share\\run.js'],
    ['whose folder has a space', "open '/home/x y/ada z/run.js'"],
    ['that is a home folder', 'cannot open /home/ada'],
    ['that is the home folder of Windows', 'cannot open C:\\Users\\ada'],
  ])('a path %s shows no user name', (_, text) => {
    expect(scrub(text)).not.toContain('ada');
  });

  test('a path of one segment stays: it cannot be told from ordinary text', () => {
    expect(scrub('GET /threads and </div>')).toBe('GET /threads and </div>');
  });
});

describe('credentials', () => {
  test.each([
    ['postgres://ada:hunter2@db:5432/x', 'postgres://***@db:5432/x'],
    ['postgres://ada:p%40#?!$&;:,(ss@db:5432/x', 'postgres://***@db:5432/x'],
    ['redis://:hunter2@db/0', 'redis://***@db/0'],
    ['mongodb+srv://ada:hunter2@db', 'mongodb+srv://***@db'],
    ['HTTPS://token@db', 'HTTPS://***@db'],
    ['from postgres://a:b@one to postgres://c:d@two', 'from postgres://***@one to postgres://***@two'],
    ['?user=ada&password=hunter2&ssl=1', '?user=ada&password=***&ssl=1'],
    ['host=db password=hunter2 user=ada', 'host=db password=*** user=ada'],
    ['Password=hunter2;Timeout=1', 'Password=***;Timeout=1'],
    [
      'token=abc secret=abc api_key=abc api-key=abc apikey=abc passwd=abc pwd=abc',
      'token=*** secret=*** api_key=*** api-key=*** apikey=*** passwd=*** pwd=***',
    ],
  ])('%s becomes %s', (text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  test.each([
    ['with @', 'postgres://ada:one@hunter2@db:5432/x'],
    ['with /', 'postgres://ada:one/hunter2@db:5432/x'],
    ['in quotes with a space', "host=db password='one hunter2'"],
    ['in PGPASSWORD', 'PGPASSWORD=hunter2'],
    ['that is an access token', '?access_token=hunter2'],
    ['in JSON', '{"password":"hunter2"}'],
  ])('a password %s does not stay', (_, text) => {
    expect(scrub(text)).not.toContain('hunter2');
  });

  // Known gaps: the rest of the password stays in the text.
  test.each([
    ['with a comma', 'PGPASSWORD=one,hunter2'],
    ['with a brace', 'password=one}hunter2'],
    ['with an escaped quote in JSON', '{"password":"one\\"hunter2"}'],
  ])('a password %s does not stay in part', (_, text) => {
    expect(scrub(text)).not.toContain('hunter2');
  });
});

test('authorization headers and the name of this machine do not stay', () => {
  expect(scrub('Authorization: Bearer abc.DEF-123')).toBe('Authorization: Bearer ***');
  expect(scrub(`cannot reach ${hostname()} now`)).toBe('cannot reach (host) now');
  expect(scrub(`x${hostname()}y`)).toBe(`x${hostname()}y`);
});

describe('ordinary text stays as it is', () => {
  test.each([
    'a ratio of 1/2, and/or N/A, 3 / 4',
    '2026-01-02T03:04:05.000Z and 02/01/2026',
    'TypeError: x is not a function',
    'at ./harness/record/scrub.ts:1:2 and ../x/y.js and @langchain/core/messages and node:internal/modules/esm',
    'channels/append/sqlite/n25/p256/words/s42/delta-k10/r1',
    'http://localhost:8123/threads/t1/state',
    'postgres://localhost:5432/x',
    'mail ada@example.com',
    'the password is wrong; passwords=3; tokens=12; K=10',
    '</p></div> // comment',
    '5 GB/s, 12 % of 3:4',
    '',
  ])('%j', (text) => {
    expect(scrub(text)).toBe(text);
  });

  test('the address of a page is not a path', () => {
    expect(scrub('see https://example.com/docs/errors')).toBe('see https://example.com/docs/errors');
  });
});

describe('control characters', () => {
  test('escape sequences, line breaks of every kind and C1 controls become visible, tabs stay', () => {
    expect(visible('\u001b[31mred\u001b[0m\u0007\b\r\n\u0085\u009b\u2028\u2029\u0000\u007f\tend é 😀')).toBe(
      '\\u001b[31mred\\u001b[0m\\u0007\\u0008\\u000d\\u000a\\u0085\\u009b\\u2028\\u2029\\u0000\\u007f\tend é 😀',
    );
  });

  test('characters that turn the direction of text become visible', () => {
    expect(visible('a\u202eb\u2066c\u200fd\ufeffe')).toBe('a\\u202eb\\u2066c\\u200fd\\ufeffe');
  });

  test('nothing that could drive a terminal is left of any character', () => {
    const all = String.fromCharCode(...Array.from({ length: 0x100 }, (_, code) => code));

    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(visible(all)).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
    expect(visible(all)).toContain('\\u0008\t\\u000a');
    expect(visible(all)).toContain('\\u001f !"#$%&');
    expect(visible(all)).toContain('\\u009f\u00a0¡');
  });
});

describe('a tail', () => {
  test('is the last lines that are not blank, without trailing space, scrubbed and visible', () => {
    const text = 'first\r\n\n  \nopen /home/ada/x/run.js\u001b[1m \u0007\nlast\tline  \n\n';

    expect(scrubbedTail(text)).toEqual(['first', 'open run.js \\u0007', 'last\tline']);
  });

  test('has at most 40 lines of at most 300 characters', () => {
    const lines = Array.from({ length: 45 }, (_, index) => `${index} ${'\u0001'.repeat(400)}`);

    const tail = scrubbedTail(lines.join('\n'));

    expect(tail).toHaveLength(40);
    expect(tail[0]).toMatch(/^5 \\u0001/);
    expect(tail.at(-1)).toMatch(/^44 \\u0001/);
    expect(tail.map((line) => line.length)).toEqual(Array.from({ length: 40 }, () => 300));
  });

  test('has as many lines as asked for, and none without text', () => {
    expect(scrubbedTail('1\n2\n3', 2)).toEqual(['2', '3']);
    expect(scrubbedTail('')).toEqual([]);
    expect(scrubbedTail('\n \n')).toEqual([]);
  });

  test('is scrubbed before it is cut, so that a secret at the edge does not stay', () => {
    const [line] = scrubbedTail(`${'x'.repeat(290)} password=hunter2`);

    expect(line).toBe(`${'x'.repeat(290)} password=`);
  });
});
