/**
 * What a model takes in a request, so that its wire renders requests for it. Requests grow, and so does this record: a member has a
 * value that fits every model of a provider by default.
 */
export interface Accepts {
  /** The highest that is taken; null: a temperature is refused. */
  readonly maxTemperature: number | null;
  /** Whether texts that end the output are taken. */
  readonly stop: boolean;
  /** `without-reasoning`: only in a request that asks for no reasoning. */
  readonly tools: 'always' | 'without-reasoning' | 'never';
  /** The dialect of `responseSchema`. `closed`: a part of JSON Schema whose objects name all of their properties. */
  readonly schema: 'any' | 'closed' | 'never';
  /** `steps`: in steps of 16 pixels; `three`: 1024 × 1024 and 1536 × 1024; `ratio`: of one size; `ratio-and-size`: also 2K and 4K. */
  readonly imageSizes: 'steps' | 'three' | 'ratio' | 'ratio-and-size';
  /** Calls of tools must come back with the signature of the thoughts that led to them. */
  readonly signatures: boolean;
}

/** What sources of the catalog say of a model; a member that is missing is not known. */
export interface AcceptsFacts {
  readonly temperature?: boolean;
  readonly stop?: boolean;
  readonly tools?: boolean;
  readonly schema?: boolean;
}
