import type { Journal, JournalRecord, Persistent } from '../../journal.js';
import type { SandboxFiles } from '../../files.js';
import type { Snowflakes } from './snowflake.js';

/** Categories of media of posts; X has others for messages, subtitles and advertisements. */
export const CATEGORIES = ['tweet_image', 'tweet_gif', 'tweet_video'] as const;
export type MediaCategory = (typeof CATEGORIES)[number];

/** What the bytes of an upload were found to be. */
export interface MediaContent {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Of GIF. */
  readonly frames: number | null;
  /** Of videos. */
  readonly durationMs: number | null;
}

/** Why X could not use the bytes of a video or a GIF, as its status shows it. */
export interface ProcessingError {
  readonly code: number;
  readonly name: string;
  readonly message: string;
}

export interface Finalized {
  /** null: the bytes could not be read. */
  readonly content: MediaContent | null;
  /** null for images, which need no processing. */
  readonly processing: {
    /** Epoch milliseconds. */
    readonly from: number;
    readonly until: number;
    readonly error: ProcessingError | null;
  } | null;
}

/** One media id. Instants in epoch milliseconds. */
export interface XUpload {
  readonly id: string;
  readonly accountId: string;
  readonly category: MediaCategory;
  readonly mediaType: string;
  readonly totalBytes: number;
  readonly expiresAt: number;
  /** Bytes by segment index. */
  readonly segments: Readonly<Record<string, number>>;
  readonly finalized: Finalized | null;
  readonly altText: string | null;
  /** The post that shows it. */
  readonly postId: string | null;
}

const KEY_PREFIXES: Readonly<Record<MediaCategory, string>> = {
  tweet_image: '3',
  tweet_gif: '16',
  tweet_video: '7',
};

/** The oldest are dropped above this; what they held on disk is removed. */
const MAX_UPLOADS = 2_000;

/** All media ids, oldest first. Their bytes are files named by them. */
export class XUploads implements Persistent {
  private readonly byId = new Map<string, XUpload>();
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly ids: Snowflakes,
    private readonly files: SandboxFiles,
    private readonly journal: Pick<Journal, 'append'>,
  ) {}

  find(id: string): XUpload | undefined {
    return this.byId.get(id);
  }

  add(draft: Pick<XUpload, 'accountId' | 'category' | 'mediaType' | 'totalBytes' | 'expiresAt'>): XUpload {
    const id = this.ids.next();
    return this.keep({ id, ...draft, segments: {}, finalized: null, altText: null, postId: null });
  }

  change(id: string, changes: Partial<Omit<XUpload, 'id' | 'accountId'>>): XUpload {
    const upload = this.byId.get(id);
    if (!upload) throw new Error(`The sandbox has dropped the upload ${id}.`);
    return this.keep({ ...upload, ...changes });
  }

  /** Of two calls for one upload, the second begins after the first. */
  async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.running.get(id);
    const own = Promise.resolve(before).then(work, work);
    this.running.set(id, own);
    try {
      return await own;
    } finally {
      if (this.running.get(id) === own) this.running.delete(id);
    }
  }

  clear(): void {
    this.byId.clear();
    this.files.clear();
  }

  restore(record: JournalRecord): void {
    if (record.kind !== 'x.upload') return;
    const upload = record.upload as XUpload;
    this.ids.passed(upload.id);
    this.byId.set(upload.id, upload);
  }

  *snapshot(): Generator<JournalRecord> {
    for (const upload of this.byId.values()) yield { kind: 'x.upload', upload };
  }

  private keep(upload: XUpload): XUpload {
    this.byId.set(upload.id, upload);
    this.journal.append({ kind: 'x.upload', upload });
    const [oldest] = this.byId.values();
    if (oldest && this.byId.size > MAX_UPLOADS) this.drop(oldest);
    return upload;
  }

  private drop({ id, segments }: XUpload): void {
    this.byId.delete(id);
    this.files.remove(id, ...segmentNames(id, segments));
  }
}

export const mediaKeyOf = ({ id, category }: XUpload): string => `${KEY_PREFIXES[category]}_${id}`;

export const segmentName = (id: string, index: number): string => `${id}.${index}`;

/** Files of the segments, in their order. */
export const segmentNames = (id: string, segments: XUpload['segments']): string[] =>
  Object.keys(segments)
    .map(Number)
    .sort((left, right) => left - right)
    .map((index) => segmentName(id, index));

/** The bytes are there and X has finished with them. */
export const isUsable = ({ finalized, expiresAt }: XUpload, now: number): boolean =>
  finalized !== null &&
  finalized.content !== null &&
  expiresAt > now &&
  (finalized.processing === null ||
    (finalized.processing.until <= now && finalized.processing.error === null));
