import { isSelfExplanatory } from '#libs/http';

/** Why nothing was started and what to do, in one sentence. Printed without a stack. */
export class Refusal extends Error {}

/** The message for users, or undefined for an error that needs its stack. */
export function messageFor(error: unknown): string | undefined {
  if (error instanceof Refusal || isSelfExplanatory(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  const place = path ?? 'this folder';
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `No permission to write ${place}. Give your user write access to it, or set DATA_DIR to a folder that is yours.`;
    case 'EROFS':
      return `The disk of ${place} is read-only. Set DATA_DIR to a folder that can be written to.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk is full. Free some space, then start again; nothing was lost.';
    default:
      return undefined;
  }
}
