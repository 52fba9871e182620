/** `randomUUIDv7` of node:crypto exists since 24.16 (https://nodejs.org/api/crypto.html). */
const OLDEST = [24, 16] as const;

/** @returns why `version` cannot run the product, or undefined if it can. @param version such as 20.20.2 */
export function reasonAgainst(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSupported = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (isSupported) return undefined;
  return `Node ${OLDEST.join('.')} or newer is needed; this is Node ${version}. Install it, or run \`npm start\`, which brings its own.`;
}

/**
 * For entry files, which import nothing else statically: on an older Node the other modules fail to link, with an error
 * about a missing export instead of the version.
 * @param run imports the program and runs it
 */
export async function runOnSupportedNode(
  run: () => Promise<unknown>,
  version: string = process.versions.node,
): Promise<void> {
  const reason = reasonAgainst(version);
  if (reason === undefined) {
    await run();
    return;
  }
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
