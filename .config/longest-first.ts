// Starts the test files that take longest first, so that the last ones to end are short. Their order decides how long a run
// takes and nothing else.

import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first, as seen on two cores; what is not named takes less than the last of them. */
const LONG = [
  'verify.slow.test.ts',
  'verify-self-test.slow.test.ts',
  'own-modules.test.ts',
  'postgres-network.slow.test.ts',
  'controller.slow.test.ts',
  'verify-quick.test.ts',
  'workloads.test.ts',
  'channels-run.test.ts',
  'verify-run.test.ts',
  'channels-resume.test.ts',
  'postgres-run.test.ts',
  'generate.test.ts',
  'cli.test.ts',
  'applied-order.test.ts',
  'doctor-run.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.indexOf(basename(moduleId));
      return place === -1 ? LONG.length : place;
    };
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}
