import { createHash } from 'node:crypto';
import { type AuditEntry, chainOf } from '../domain/audit-entry.js';
import { canonicalJson } from '../domain/canonical-json.js';

/** The length and the last hash of a chain. */
export interface ChainHead {
  readonly entries: number;
  readonly hash: Buffer;
}

/** An entry with its hash, which covers the entry and the previous hash, so that missing and changed rows are detected. */
export interface ChainedEntry {
  readonly chain: string;
  readonly entry: AuditEntry;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** The head of an empty chain. Contains the name, so that one chain cannot replace another. */
export function emptyHeadOf(chain: string): ChainHead {
  return { entries: 0, hash: sha256(chain) };
}

/** Appends the entries in order to the chains in `heads` and updates `heads`. */
export function chained(entries: readonly AuditEntry[], heads: Map<string, ChainHead>): ChainedEntry[] {
  return entries.map((entry) => {
    const chain = chainOf(entry);
    const head = heads.get(chain) ?? emptyHeadOf(chain);
    const hash = sha256(head.hash, canonicalJson(entry));
    heads.set(chain, { entries: head.entries + 1, hash });
    return { chain, entry, previousHash: head.hash, hash };
  });
}

function sha256(...parts: (Buffer | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
