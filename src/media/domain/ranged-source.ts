/** Ranged reads of one version of an object. Nothing is kept in memory. */
export interface RangedSource {
  readonly bytes: number;
  /** Bytes `start` ≤ i < `end`, cut at the end of the object. */
  read(start: number, end: number): Promise<Uint8Array>;
}
