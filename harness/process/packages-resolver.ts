// The module resolver behind packages-hook: runs on Node's loader thread. Modules of this project and of the user's own
// saver and graph are redirected; what a package imports resolves from where that package lies, as always.

import type { InitializeHook, ResolveHook } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const UNDER_TEST = /^(?:@langchain\/.+|langchain(?:\/.+)?|better-sqlite3|pg)$/;
/** A package by its name; Node's own modules are found anyway. */
const BARE = /^(?:@[\w-]|[a-z])(?!.*:)/i;
const OWN_MODULES = new URL('../../', import.meta.url).href;

let parentInPackages = '';

export const initialize: InitializeHook<{ folder: string }> = (data) => {
  parentInPackages = pathToFileURL(join(data.folder, 'noop.js')).href;
};

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const { parentURL = '' } = context;
  const isOwn = parentURL.startsWith(OWN_MODULES);
  const isUsers = !isOwn && parentURL.startsWith('file:') && !parentURL.includes('/node_modules/');
  if (isUsers && specifier.startsWith('deltaproof/')) {
    return nextResolve(specifier, { ...context, parentURL: import.meta.url });
  }
  const inPackages = { ...context, parentURL: parentInPackages };
  if (UNDER_TEST.test(specifier) && (isOwn || isUsers)) return nextResolve(specifier, inPackages);
  if (!isUsers || !BARE.test(specifier)) return nextResolve(specifier, context);
  try {
    return await nextResolve(specifier, context);
  } catch {
    // A module of the user's that lies somewhere else than its packages.
    return nextResolve(specifier, inPackages);
  }
};
