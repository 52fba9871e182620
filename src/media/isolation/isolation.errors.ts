/** The child process ended for a reason that is not the file: shutdown, no start, a full disk. The task can be repeated. */
export class MediaProcessFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

export class MediaProcessesAreBusy extends Error {
  constructor() {
    super('Too many media tasks wait. Claim fewer files.');
  }
}

/** Thrown by a task that stops itself at a time limit of its own: the outcome is `out_of_time`. */
export class TaskTookTooLong extends Error {
  constructor() {
    super('The task took longer than its limit. A busy machine may be the reason: repeat it.');
  }
}
