/** Whose channel a call to the gateway is for. */
export interface ChannelCall {
  /** The organization to which the call is attributed. */
  readonly organizationId: string;
  /** Access token of the channel. The gateway passes it on and does not store it. */
  readonly accessToken: string;
}

export interface VideoChannel {
  readonly id: string;
  readonly title: string;
  /** With @; null: the channel has none. */
  readonly handle: string | null;
  readonly thumbnailUrl: string | null;
}

/** A video as it is announced before its file is sent. */
export interface NewVideo {
  /** 1 to 100 characters. */
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly privacy: 'private' | 'unlisted' | 'public';
  readonly madeForKids: boolean;
  readonly containsSyntheticMedia: boolean;
  /** Length of the file. */
  readonly bytes: number;
  /** `video/…`. */
  readonly contentType: string;
}

export interface PublishedVideo {
  readonly id: string;
  /** As the provider set it; null: it did not say. */
  readonly privacy: string | null;
}

export type UploadState =
  /** The provider has the bytes before `nextByte`. */
  | { readonly state: 'incomplete'; readonly nextByte: number }
  /** The video exists. */
  | { readonly state: 'complete'; readonly video: PublishedVideo };

/** Bytes of the file of an upload. Parts other than the last have a multiple of 262 144 bytes. */
export interface VideoPart {
  readonly uploadId: string;
  /** Index of the first byte. */
  readonly start: number;
  /** Bytes of the file. */
  readonly total: number;
  /** Of this part. */
  readonly length: number;
  /** A stream is opened once, when the connection is there. */
  readonly bytes: Uint8Array | (() => AsyncIterable<Uint8Array>);
  /** Asked right before the request is written; false: it is not written. */
  readonly maySend?: () => boolean;
}

/** The outcome of a call. Only `no-answer` leaves its effect in doubt. */
export type GatewayResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The provider refused the call. */
  | {
      readonly kind: 'refused';
      /** HTTP status of the provider. */
      readonly status: number;
      /** The provider's name of the reason, such as `authError`. */
      readonly reason: string | null;
      readonly retryAfterMs: number | null;
    }
  /** The quota is used up. The provider refuses further calls until it is reset. */
  | { readonly kind: 'exhausted'; readonly retryAfterMs: number }
  /** The provider ended the upload, or the gateway does not know it. */
  | { readonly kind: 'gone' }
  /** The gateway refuses this service or its request. `code`: of its problem. */
  | { readonly kind: 'misconfigured'; readonly code: string }
  /** The provider was not called. May be repeated. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** `maySend` was false. */
  | { readonly kind: 'withheld' }
  | { readonly kind: 'no-answer'; readonly reason: string };
