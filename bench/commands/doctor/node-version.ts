// Whether this Node is one that the project runs on.

import { satisfies } from 'semver';
import type { CheckResult, Subject } from './check.js';
import { readManifest } from './manifest.js';

export function checkNode({ projectDir }: Subject): CheckResult[] {
  return [judgeNode(process.versions.node, readManifest(projectDir).engines?.['node'] ?? '*')];
}

/** @param range `engines.node` of package.json. */
export function judgeNode(version: string, range: string): CheckResult {
  const fits = satisfies(version, range, { includePrerelease: true });
  return {
    check: 'node',
    status: fits ? 'fine' : 'missing',
    what: fits
      ? `Node ${version} is one that this runs on (${range}).`
      : `Node ${version} is not one that this runs on (${range}).`,
    facts: { version, range },
    fix: fits ? null : 'nvm install 22 (or an installer from nodejs.org), then npm ci',
  };
}
