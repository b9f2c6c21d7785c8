// The module resolver behind packages-hook: runs on Node's loader thread. Only modules of this project are redirected;
// what a package under test imports resolves from where that package lies, as always.

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
  const redirect = UNDER_TEST.test(specifier) && context.parentURL?.startsWith(OWN_MODULES) === true;
  return nextResolve(specifier, redirect ? { ...context, parentURL: parentInPackages } : context);
};
