// What a command asks of the child that loads the user's modules, and what that tells of them.

import { z } from 'zod';
import {
  modulePathsSchema,
  ownGraphSchema,
  ownSaverSchema,
  type ModulePaths,
} from '../record/own-modules.js';
import { reportBase, type Task } from './protocol.js';

/** One sentence that says what is wrong with a module. */
const refused = z.object({ problem: z.string() });

export const moduleReportSchema = reportBase.extend({
  role: z.literal('describe'),
  saver: z.union([refused, ownSaverSchema]).nullable(),
  graph: z.union([refused, ownGraphSchema]).nullable(),
});
export type ModuleReport = z.infer<typeof moduleReportSchema>;

export const MODULES_KEY = 'modules';

export const moduleRequestSchema = modulePathsSchema;

export function describeTask(request: ModulePaths): Task<ModuleReport> {
  return { request, caseKey: MODULES_KEY, role: 'describe', reportSchema: moduleReportSchema };
}
