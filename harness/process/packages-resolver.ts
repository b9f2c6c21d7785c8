// The module resolver behind packages-hook: runs on Node's loader thread. Modules of this project and of the user's own
// saver and graph are redirected; what a package imports resolves from where that package lies, as always.

import type { InitializeHook, ResolveHook } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const UNDER_TEST = /^(?:@langchain\/.+|langchain(?:\/.+)?|better-sqlite3|pg)$/;
const OWN_MODULES = new URL('../../', import.meta.url).href;

let parentInPackages = '';

export const initialize: InitializeHook<{ folder: string }> = (data) => {
  parentInPackages = pathToFileURL(join(data.folder, 'noop.js')).href;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const { parentURL = '' } = context;
  const isOwn = parentURL.startsWith(OWN_MODULES);
  const isUsers = !isOwn && parentURL.startsWith('file:') && !parentURL.includes('/node_modules/');
  if (isUsers && specifier.startsWith('deltaproof/'))
    return nextResolve(specifier, { ...context, parentURL: import.meta.url });
  const redirect = UNDER_TEST.test(specifier) && (isOwn || isUsers);
  return nextResolve(specifier, redirect ? { ...context, parentURL: parentInPackages } : context);
};
