// Takes host-specific and secret text out of what goes into rows: absolute paths, home folders, the machine's name,
// credentials.

import { hostname } from 'node:os';

// oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
const COLOUR = /\u001b\[[0-9;]*m/g;
const CREDENTIALS = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s'"<>]*@/gi;
const SECRET =
  /((?:password|passwd|pwd|token|secret|api[_-]?key)["']?\s*[=:]\s*)(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s&;]+)/gi;
const AUTHORIZATION = /\b((?:authorization["']?\s*[=:]\s*)?(?:bearer|basic)\s+)[\w.~+/=-]+/gi;
const FILE_URL = /file:\/\/(?=\/)/g;
const QUOTED_PATH = /(['"`])(?:\/|[A-Za-z]:\\)[^'"`\n]*[\\/]([^'"`\n\\/]*)\1/g;
/** Not after a letter, so that `and/or` stays; but after an escape (`\n`) or a short option (`-I`). */
const PATH = /(?<!(?<!\\|(?<=\s)-)[\w.]|\/)\/(?!\/)((?:[^\s:'"`()<>|*?/\\]+\/)+)([^\s:'"`()<>|*?/\\,\]]*)/g;
const WINDOWS_PATH = /(?:\b[A-Za-z]:|(?<![\w\\])\\)\\+((?:[^\s:'"<>|*?\\]+\\+)+)([^\s:'"<>|*?\\]*)/g;

/** This machine's name as a word of its own; a name of one letter could be anything. */
const HOST_NAME = new RegExp(
  hostname().length > 1 ? `(?<![\\w.-])${hostname().replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])` : '(?!)',
  'g',
);

/** Of this run: they are known, so they go wherever they stand. */
const hidden = new Set<string>();
/** Shorter ones could be part of any word. */
const LEAST_SECRET_CHARACTERS = 4;
/** Passwords that are none, and that every message needs as a word. */
const NO_SECRETS: readonly string[] = ['postgres', 'postgresql'];

/** From here on {@link scrub} hides the passwords of this URI, as they are given and as they are meant. */
export function hideSecretsOf(uri: string): void {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  const given = [
    /^[\w+.-]+:\/\/[^:]*:(.*)@/.exec(uri)?.[1],
    url?.password,
    ...['password', 'sslpassword'].flatMap((name) => url?.searchParams.getAll(name) ?? []),
  ];
  for (const secret of given.flatMap((each) => [each ?? '', decoded(each ?? '')])) {
    if (secret.length < LEAST_SECRET_CHARACTERS || NO_SECRETS.includes(secret)) continue;
    hidden.add(secret).add(JSON.stringify(secret).slice(1, -1));
  }
}

/** The text without the passwords of {@link hideSecretsOf}, and as it was for the rest. */
export function withoutHidden(text: string): string {
  return [...hidden].reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The text without secrets, and every absolute path cut to its last segment; a home folder becomes `~`.
 * Over-cautious on purpose: what looks like a secret or a path goes. A path of one segment stays, and what follows a
 * space inside an unquoted path.
 */
export function scrub(text: string): string {
  return withoutHidden(text)
    .replace(COLOUR, '')
    .replace(CREDENTIALS, '$1***@')
    .replace(AUTHORIZATION, '$1***')
    .replace(SECRET, '$1***')
    .replace(HOST_NAME, '(host)')
    .replace(FILE_URL, '')
    .replace(QUOTED_PATH, '$1$2$1')
    .replace(PATH, lastSegment)
    .replace(WINDOWS_PATH, lastSegment);
}

function lastSegment(_path: string, folders: string, last: string): string {
  return /^(?:home|users)[\\/]+$/i.test(folders) ? '~' : last;
}

/**
 * The last `lines` lines of `text`, scrubbed, each at most 300 characters, control characters made visible. As many as Node
 * prints of an error of pg: its name stands before its stack, and 17 properties come after that.
 */
export function scrubbedTail(text: string, lines = 40): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(-lines)
    .map((line) => visible(scrub(line)).slice(0, 300));
}

/** Control and direction characters as escapes: text from elsewhere cannot drive a terminal. Tabs stay. */
export function visible(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
