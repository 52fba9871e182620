/** The child process ended for a reason that is not the file: shutdown, no start, a full disk. The task can be repeated. */
export class MediaProcessFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** Too many tasks wait already. */
export class MediaProcessesAreBusy extends Error {
  constructor() {
    super('Too many media tasks wait. Claim fewer files.');
  }
}
