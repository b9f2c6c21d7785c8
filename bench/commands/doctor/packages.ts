// Whether the packages under test are there, each by name with its version.

import {
  installedVersion,
  packagesUnderTest,
  PACKAGES_OF_SOME_SCENARIOS,
} from '../../../harness/record/environment.js';
import { CommandError } from '../../../harness/record/errors.js';
import { packagesFolder, type CheckResult, type Subject } from './check.js';
import { readManifest } from './manifest.js';
import { installLine, reinstallLine } from './npm-lines.js';

const CHECK = 'packages';

export function checkPackages(subject: Subject): CheckResult[] {
  const folder = packagesFolder(subject);
  const looked = [
    ...packagesUnderTest(subject.backends).map((name) => ({ name, needed: true })),
    ...PACKAGES_OF_SOME_SCENARIOS.map((name) => ({ name, needed: false })),
  ].map((wanted) => ({ ...wanted, found: findPackage(folder, wanted.name) }));
  const absent = looked.filter(({ found }) => found === null).map(({ name }) => name);
  // One line for all of them, to be typed once.
  const fix = installFix(absent, subject);
  const tested = testedVersions(subject);
  return looked.map(({ name, needed, found }) =>
    judgePackage({ name, needed, found, fix, tested: tested[name] ?? null }),
  );
}

/** The line that installs these packages where this command looks for them. */
export function installFix(names: readonly string[], subject: Subject): string {
  // This project's own package.json names them all.
  if (subject.packagesDir === null) return reinstallLine(subject.projectDir);
  const tested = testedVersions(subject);
  const wanted = names.map((name) => (tested[name] === undefined ? name : `${name}@${tested[name]}`));
  return wanted.length === 0 ? reinstallLine(subject.packagesDir) : installLine(subject.packagesDir, wanted);
}

/** By package, the version with which this project was tested. */
function testedVersions({ projectDir }: Subject): Readonly<Record<string, string>> {
  return readManifest(projectDir).dependencies ?? {};
}

type Found = { readonly version: string } | { readonly problem: string };

/** Null where it is not installed. */
function findPackage(folder: string, name: string): Found | null {
  try {
    const version = installedVersion(folder, name);
    return version === null ? null : { version };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { problem: error.message };
  }
}

interface Looked {
  readonly name: string;
  /** False for a package without which some scenarios are left out. */
  readonly needed: boolean;
  readonly found: Found | null;
  readonly tested: string | null;
  /** The line that installs it. */
  readonly fix: string;
}

function judgePackage({ name, needed, found, tested, fix }: Looked): CheckResult {
  const version = found !== null && 'version' in found ? found.version : null;
  const facts = { package: name, version, tested_version: tested };
  if (version !== null) {
    const other = tested === null || tested === version ? '' : ` (tested with ${tested})`;
    return { check: CHECK, status: 'fine', what: `${name} is ${version}${other}.`, facts, fix: null };
  }
  const without = needed ? '' : '; verify leaves out the scenarios that need it';
  const what = found !== null && 'problem' in found ? found.problem : `${name} is not installed${without}.`;
  return { check: CHECK, status: needed ? 'missing' : 'warning', what, facts, fix };
}
