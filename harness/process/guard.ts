// The guard of a run: a small process in a session of its own that outlives a killed controller for a moment. When its
// stdin ends, the controller is gone, however that came about: it then kills every process group that is still listed
// (SIGKILL also ends children that spin or are stopped) and removes the run's work folder, with a database server in it
// whose keeper was killed too.

import { setTimeout as wait } from 'node:timers/promises';
import { Guarded } from './guard-lines.js';
import { isRunFolder, removeLeftover } from './work-folder.js';

/** A process that was just killed may still be making files. */
const REMOVAL_ATTEMPTS = 20;
const REMOVAL_PAUSE_MS = 100;

// What stops the controller must not stop its guard first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const guarded = new Guarded();
try {
  process.stdin.setEncoding('utf8');
  for await (const part of process.stdin) guarded.take(part as string);
} catch {
  // A pipe that breaks is an end of the controller like any other.
}
for (const pid of guarded.groups) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}
for (const folder of guarded.folders) {
  if (!isRunFolder(folder)) continue;
  for (let attempt = 1; attempt <= REMOVAL_ATTEMPTS && !removeLeftover(folder); attempt += 1) {
    await wait(REMOVAL_PAUSE_MS);
  }
}
