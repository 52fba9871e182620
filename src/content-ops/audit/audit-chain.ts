import { createHash } from 'node:crypto';
import type { AuditEntry } from '../audit-entry.js';
import { chainOf } from '../audit-entry.js';
import { canonicalJson } from '../canonical-json.js';

/** How long a chain is and how it ends. */
export interface ChainHead {
  readonly entries: number;
  readonly hash: Buffer;
}

/** An entry in its place: each hash covers the entry and the hash before it, so that no row can go or change unnoticed. */
export interface ChainedEntry {
  readonly chain: string;
  readonly entry: AuditEntry;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

/** What the first entry of a chain builds on: a chain cannot be passed off as another one. */
export function beginningOf(chain: string): ChainHead {
  return { entries: 0, hash: sha256(chain) };
}

/** Continues the chains in `heads` (which are moved on) by the entries, in their order. */
export function chained(entries: readonly AuditEntry[], heads: Map<string, ChainHead>): ChainedEntry[] {
  return entries.map((entry) => {
    const chain = chainOf(entry);
    const head = heads.get(chain) ?? beginningOf(chain);
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
