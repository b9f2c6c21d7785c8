// Loaded with `--import` into a child when `--packages` names another folder: bare names of the packages under test
// then resolve there, for this project's own modules and for nothing else.

import { register } from 'node:module';

const folder = process.env['DELTAPROOF_PACKAGES'];
if (folder === undefined)
  throw new Error('DELTAPROOF_PACKAGES must name the folder of the packages under test.');
register('./packages-resolver.js', import.meta.url, { data: { folder } });
