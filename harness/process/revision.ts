// Which commit of this project is running, for the provenance of rows.

import { readFileSync, realpathSync } from 'node:fs';
import { installedCodeSha256, installedVersions, machineFacts } from '../record/environment.js';
import type { Provenance } from '../record/provenance.js';
import { toolOutput } from './child.js';

/**
 * Everything that makes rows comparable, read once per run.
 *
 * @param projectDir folder of this project's package.json.
 * @param packagesDir folder from which the packages under test resolve.
 * @param ownModules sha256 of the files of the user's own saver and graph, by what they are.
 */
export async function readProvenance(
  projectDir: string,
  packagesDir: string,
  ownModules: Provenance['own_modules'],
): Promise<Provenance> {
  const manifest = JSON.parse(readFileSync(`${projectDir}/package.json`, 'utf8')) as { version: string };
  return {
    deltaproof_version: manifest.version,
    ...(await gitState(projectDir)),
    node_version: process.versions.node,
    packages: installedVersions(packagesDir),
    packages_sha256: installedCodeSha256(packagesDir),
    machine: machineFacts(),
    server: null,
    own_modules: ownModules,
  };
}

/** Null unless `projectDir` itself is the top of a checkout: an installed package may lie inside somebody else's. */
async function gitState(projectDir: string): Promise<Pick<Provenance, 'git_revision' | 'git_dirty'>> {
  const top = await toolOutput('git', ['rev-parse', '--show-toplevel'], projectDir);
  if (top === null || realpathSync(top) !== realpathSync(projectDir))
    return { git_revision: null, git_dirty: null };
  const revision = await toolOutput('git', ['rev-parse', 'HEAD'], projectDir);
  const status = await toolOutput('git', ['status', '--porcelain'], projectDir);
  return { git_revision: revision, git_dirty: status === null ? null : status !== '' };
}
