import type { AiMark, MediaKind, RenditionSpec } from '#libs/content';
import type { RangedSource } from '../../domain/ranged-source.js';

/** A point of a picture that a crop keeps: 0 to 1 from the left and from the top. */
export interface FocusPoint {
  readonly x: number;
  readonly y: number;
}

export interface RenderInput {
  readonly source: RangedSource;
  readonly kind: MediaKind;
  readonly spec: RenditionSpec;
  /** Of images; a crop to the ratio of the specification keeps it. */
  readonly focus: FocusPoint;
  /** Of the source; the result gets the same one. null: not known. */
  readonly aiMark: AiMark | null;
  /** Of an image: the source fits as it is, and the result has its bytes. Default false. */
  readonly isCopied?: boolean;
  readonly folder: string;
}

export interface RenderedFile {
  readonly kind: 'rendered';
  /** Absolute. */
  readonly path: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Of the whole file, 64 hex digits. */
  readonly sha256: string;
  /** Pixels, as shown. */
  readonly width: number;
  readonly height: number;
  /** Of animations and videos. */
  readonly durationMs: number | null;
}

export type RenderFailureCode =
  /** No quality or size of the file is within the limits. */
  | 'cannot_fit'
  /** The specification is for another kind of file. */
  | 'kind_does_not_fit'
  /** A track or an edit list needs encoding, which the product does not do. */
  | 'needs_encoding'
  /** The content cannot be decoded or its index is wrong. */
  | 'not_readable';

/** A definite answer: the same file and specification give it again. */
export interface RenderFailure {
  readonly kind: 'failed';
  readonly code: RenderFailureCode;
  /** For people: what is wrong, then what to do. */
  readonly message: string;
}

export type RenderOutput = RenderedFile | RenderFailure;

/** Thrown inside an engine; `render` turns it into a `RenderFailure`. */
export class CannotRender extends Error {
  constructor(
    readonly code: RenderFailureCode,
    message: string,
  ) {
    super(message);
  }
}
