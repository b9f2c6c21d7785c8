// What the checkpoint runtime refuses, each by a type of its own. A service tells them apart by class: a mismatch is a
// conflict of its thread, a reconfiguration a fault of the process.

import type { ChannelMode, CheckpointPlace } from './terms.js';

/** Every error that the runtime throws by itself; those of savers and graphs pass through as they are. */
export abstract class CheckpointRuntimeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The process has another mode or cadence already; a process has one for as long as it lives. */
export class CheckpointModeReconfigurationError extends CheckpointRuntimeError {
  readonly frozen: ChannelMode;
  readonly asked: ChannelMode;

  constructor(frozen: ChannelMode, asked: ChannelMode) {
    super(
      `This process keeps checkpoints in ${described(frozen)} and cannot change to ${described(asked)}: restart it with the new setting.`,
    );
    this.frozen = frozen;
    this.asked = asked;
  }
}

function described({ mode, snapshotFrequency }: ChannelMode): string {
  return snapshotFrequency === null
    ? `${mode} mode`
    : `${mode} mode with a snapshot every ${snapshotFrequency} updates`;
}

/** A process in full mode met a thread that was written in delta mode. */
export class CheckpointModeMismatchError extends CheckpointRuntimeError {
  readonly threadId: string;
  /** By what the thread was recognised: this runtime's marker, or LangGraph's counters. */
  readonly sign: 'marker' | 'counters';

  constructor(threadId: string, sign: CheckpointModeMismatchError['sign']) {
    const by =
      sign === 'marker' ? 'its checkpoints say so' : 'its checkpoints count updates since a snapshot';
    super(
      `Thread ${threadId} is kept in delta mode (${by}) and this process runs in full mode, which can read it short and would store it in the other shape: run it in delta mode.`,
    );
    this.threadId = threadId;
    this.sign = sign;
  }
}

/** A graph would keep its threads past the runtime: nothing would mark or check them. */
export class UnguardedSaverError extends CheckpointRuntimeError {
  constructor() {
    super(
      'The graph keeps its threads through a saver outside of the checkpoint runtime, where nothing marks or checks them: compile it with the saver that build is given, or with none.',
    );
  }
}

/** The channels of a graph are not what the mode of the process asks for. */
export class ModeNotInEffectError extends CheckpointRuntimeError {}

/** What is to be the state of a thread names no channels of its graph. */
export class StateValuesError extends CheckpointRuntimeError {}

/** The graph of a thread cannot be built, and what was asked for needs it. */
export class GraphUnavailableError extends CheckpointRuntimeError {
  constructor(cause: unknown) {
    super(`The graph cannot be built: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The checkpoint that was asked for is not there, or went while it was read. */
export class CheckpointNotFoundError extends CheckpointRuntimeError {
  readonly place: CheckpointPlace;

  constructor(place: CheckpointPlace) {
    super(sentence(`${named(place)} is not there, or was deleted while it was read.`));
    this.place = place;
  }
}

/** A checkpoint that a state has to be rebuilt from is not there. */
export class CheckpointAncestorMissingError extends CheckpointRuntimeError {
  readonly place: CheckpointPlace;
  /** The id that its child, or its grandchild, names as parent. */
  readonly missing: string;

  constructor(place: CheckpointPlace, missing: string) {
    super(
      sentence(
        `${named(place)} cannot be rebuilt: its ancestor ${missing} is not there, and no snapshot before it was found.`,
      ),
    );
    this.place = place;
    this.missing = missing;
  }
}

/** An ancestor is stored as the text of an error, since its state could not be serialized. */
export class CheckpointUnreadableError extends CheckpointRuntimeError {
  readonly place: CheckpointPlace;
  readonly unreadable: string;

  constructor(place: CheckpointPlace, unreadable: string) {
    super(
      sentence(
        `${named(place)} cannot be rebuilt: its ancestor ${unreadable} could not be serialized when it was stored.`,
      ),
    );
    this.place = place;
    this.unreadable = unreadable;
  }
}

/** A resume that would lose something; nothing was written. */
export class CheckpointResumeRejected extends CheckpointRuntimeError {
  readonly place: CheckpointPlace;

  constructor(place: CheckpointPlace, reason: string) {
    super(`A resume at ${named(place)} is rejected: ${reason}.`);
    this.place = place;
  }
}

/** The head has writes of a step that did not end, so nothing may be put after it. */
export class PendingWritesError extends CheckpointRuntimeError {
  readonly place: CheckpointPlace;

  constructor(place: CheckpointPlace) {
    super(
      sentence(
        `${named(place)} has pending writes, as after an interrupt or a failure, and a checkpoint after it would lose them.`,
      ),
    );
    this.place = place;
  }
}

/** What was captured before the run is not whole, so nothing is restored. */
export class RollbackDisabledError extends CheckpointRuntimeError {
  constructor(threadId: string, cause: unknown) {
    super(
      `Thread ${threadId} is not rolled back: its state before the run was not captured. The thread is as the run left it.`,
      { cause },
    );
  }
}

/** A checkpoint that is no root names no parent, as in threads of old releases: what was before it is not known by links. */
export class CheckpointParentMissingError extends CheckpointRuntimeError {
  readonly place: CheckpointPlace;

  constructor(place: CheckpointPlace) {
    super(sentence(`${named(place)} names no parent, though it is not the first of its thread.`));
    this.place = place;
  }
}

/** How the links between checkpoints can be wrong. */
export type LineageFault = 'cycle' | 'dangling_parent' | 'wrong_target' | 'too_deep';

const LINEAGE_FAULTS: Readonly<Record<LineageFault, string>> = {
  cycle: 'its parents lead back to a checkpoint that was seen before',
  dangling_parent: 'a parent that is named is not there',
  wrong_target: 'the saver gave another checkpoint than the one that was asked for',
  too_deep: 'it has more ancestors than are walked',
};

/** The links of a thread are wrong; nobody is taken for an ancestor by time alone. */
export class CheckpointLineageIntegrityError extends CheckpointRuntimeError {
  readonly place: CheckpointPlace;
  readonly fault: LineageFault;

  constructor(place: CheckpointPlace, fault: LineageFault) {
    super(`The lineage of ${named(place)} cannot be trusted: ${LINEAGE_FAULTS[fault]}.`);
    this.place = place;
    this.fault = fault;
  }
}

/** The package of the shared cache is not installed. */
export class RedisNotInstalledError extends CheckpointRuntimeError {
  constructor(cause: unknown) {
    super('The shared history cache needs the package redis. Install it with: npm install redis', { cause });
  }
}

function named({ threadId, namespace, checkpointId }: CheckpointPlace): string {
  const of = namespace === '' ? `thread ${threadId}` : `namespace ${namespace} of thread ${threadId}`;
  return checkpointId === null ? `the head of ${of}` : `checkpoint ${checkpointId} of ${of}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
