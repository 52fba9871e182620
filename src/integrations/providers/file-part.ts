import { type DeliveryFile, type FailureReport, MediaIsMissing } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import { MEDIA_MISSING, MEDIA_UNREADABLE } from '../domain/delivery-outcome.js';
import type { CommitResponse, NetworkResponse, PrepareResponse } from '../domain/provider-publishing.js';
import {
  commitResponseOf,
  type Committed,
  prepareResponseOf,
  type Reading,
  type ResponseReader,
} from './network-responses.js';
import { RETRY } from './failures.js';

/** The announced length of a file and the length of its bytes differ. */
class FileLengthDiffers extends Error {
  constructor() {
    super('The file has more or fewer bytes than announced.');
    this.name = 'FileLengthDiffers';
  }
}

type Problem = PrepareResponse & { readonly kind: 'refused' | 'no-answer' };

/** The bytes from `start` up to, not including, `end` of a file, read while they are sent: memory holds one chunk. */
export class FilePart {
  private error: unknown = null;
  /** Bytes that were given to the connection. */
  private given = 0;

  constructor(
    private readonly file: DeliveryFile,
    private readonly start: number,
    private readonly end: number,
  ) {}

  get length(): number {
    return this.end - this.start;
  }

  /** null: no reason known here. The end of the connection, which a stream throws into its source, is none. */
  get problem(): Problem | null {
    if (this.error === null) return null;
    return this.error instanceof MediaIsMissing ? missingFile : { kind: 'no-answer', failure: fileProblem };
  }

  /** Whether the network cannot have all bytes, because of the file. */
  get isCut(): boolean {
    return this.error !== null && this.given < this.length;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    let isGiving = false;
    this.given = 0;
    try {
      for await (const chunk of await this.file.open(this.start, this.end)) {
        if (this.given + chunk.length > this.length) throw new FileLengthDiffers();
        this.given += chunk.length;
        isGiving = true;
        yield chunk;
        isGiving = false;
      }
      if (this.given < this.length) throw new FileLengthDiffers();
    } catch (error) {
      if (!isGiving) this.error = error;
      throw error;
    }
  }
}

/** As `prepareResponseOf`, of a request with this part as its body. A refusal counts even if not all bytes were read. */
export function uploadResponseOf(
  reader: ResponseReader,
  part: FilePart,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<PrepareResponse>,
): PrepareResponse {
  const isRefusal = response.kind === 'answered' && response.status >= 400 && response.status < 500;
  return (!isRefusal && part.problem) || prepareResponseOf(reader, response, read);
}

/** As `commitResponseOf`, of a request with this part as its body. A body that ended early cannot have been accepted. */
export function commitUploadResponseOf(
  reader: ResponseReader,
  part: FilePart,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<Committed>,
): CommitResponse {
  const problem = part.isCut ? part.problem : null;
  if (response.kind !== 'no-answer' || problem === null) return commitResponseOf(reader, response, read);
  return problem.kind === 'no-answer' ? { ...problem, kind: 'not-sent' } : problem;
}

const missing: FailureReport = {
  code: MEDIA_MISSING,
  class: 'permanent',
  networkCode: null,
  message: 'A file of this post no longer exists. Nothing was published.',
  nextStep: 'Remove the file from the post or choose another one, then schedule the post again.',
};

/** For a post with fewer files than media ids too. */
export const missingFile: PrepareResponse & { readonly kind: 'refused' } = {
  kind: 'refused',
  refusal: { failure: missing },
};

export const fileProblem: FailureReport = {
  code: MEDIA_UNREADABLE,
  class: 'transient',
  networkCode: null,
  message: 'A file of this post could not be read. Nothing was published.',
  nextStep: RETRY,
};
