// Takes host-specific and secret text out of what goes into rows: absolute paths, home folders, credentials in URIs.

const CREDENTIALS = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi;
const PASSWORD_PARAMETER = /\b(password|passwd|pwd|token|secret|api[_-]?key)=[^\s&;]+/gi;
const FILE_URL_OR_PATH = /(?:file:\/\/)?(?<![\w.])\/(?:[^\s:'"()<>|*?/]+\/)+([^\s:'"()<>|*?/]*)/g;
const WINDOWS_PATH = /\b[A-Za-z]:\\(?:[^\s:'"<>|*?\\]+\\)+([^\s:'"<>|*?\\]*)/g;

/** The text with credentials removed and every absolute path cut to its last segment. */
export function scrub(text: string): string {
  return text
    .replace(CREDENTIALS, '$1***@')
    .replace(PASSWORD_PARAMETER, '$1=***')
    .replace(FILE_URL_OR_PATH, '$1')
    .replace(WINDOWS_PATH, '$1');
}

/** The last `lines` lines of `text`, scrubbed, each at most 300 characters, control characters made visible. */
export function scrubbedTail(text: string, lines = 20): string[] {
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
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
