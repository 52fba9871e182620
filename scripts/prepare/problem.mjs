/** An error that the user can fix, in one sentence. */
export class Problem extends Error {}

const FOLDER = 'this folder';

const SENTENCES = {
  EACCES: `No permission to write in ${FOLDER}. Give your user write access to it, or clone it somewhere that is yours.`,
  EROFS: `The disk is read-only. Clone this somewhere that can be written to.`,
  ENOSPC: `The disk is full. Free about 1 GB, then run the same command again.`,
  EDQUOT: `Your disk quota is used up. Free about 1 GB, then run the same command again.`,
  ENOTFOUND: `The package registry is not reachable. Check the network (or the proxy settings of npm), then run the same command again.`,
};
SENTENCES.EPERM = SENTENCES.EACCES;
SENTENCES.EAI_AGAIN = SENTENCES.ENOTFOUND;
SENTENCES.ECONNREFUSED = SENTENCES.ENOTFOUND;
SENTENCES.ETIMEDOUT = SENTENCES.ENOTFOUND;

/** The sentence for a known error code in a program's output, if there is one. */
export function sentenceFor(output) {
  const code = Object.keys(SENTENCES).find((known) => output.includes(known));
  return code && SENTENCES[code];
}

/** One sentence for a known error, else the whole error. */
export function explain(error) {
  if (error instanceof Problem) return error.message;
  return sentenceFor(String(error?.code ?? '')) ?? error?.stack ?? String(error);
}
