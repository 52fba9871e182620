import { createHash } from 'node:crypto';

/**
 * Deterministic ids, so that two concurrent creations give one row: UUIDs of version 8 (RFC 9562, section 5.8) from the
 * SHA-256 of their parts.
 */
function derived(kind: string, ...parts: readonly string[]): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const defaultPipelineIdOf = (organizationId: string): string =>
  derived('default-pipeline', organizationId);

export const defaultStageIdOf = (pipelineId: string, name: string): string =>
  derived('default-stage', pipelineId, name);

export const cardIdOf = (pipelineId: string, contactId: string): string =>
  derived('card', pipelineId, contactId);
