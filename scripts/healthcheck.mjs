import { readFileSync } from 'node:fs';

/**
 * The image's HEALTHCHECK: requests the health of the entry in the command of the container's first process, on its port.
 * Another command (a migration) has no address and counts as healthy. Runs every few seconds, so that it imports nothing of
 * the product; test/healthcheck.spec.ts compares the defaults.
 */
const ADDRESSES = {
  'dist/src/main.js': ['HOST', 'API_PORT', '3000'],
  'dist/src/worker.js': ['HOST', 'WORKER_MANAGEMENT_PORT', '9010'],
  'dist/src/platform/identity/main.js': ['HOST', 'IDENTITY_PORT', '3001'],
  'dist/src/platform/gateway/main.js': ['HOST', 'GATEWAY_PORT', '3003'],
};
const ANY = new Set(['', '0.0.0.0', '::']);

const [, , commandFile = '/proc/1/cmdline'] = process.argv;
// Under an init (`docker run --init`) the entry's command is at the end of the init's own.
const words = readFileSync(commandFile, 'utf8').split('\0');
const entry = Object.keys(ADDRESSES).find((file) =>
  words.some((word) => word === file || word.endsWith(`/${file}`)),
);
if (entry) {
  const [hostName, portName, defaultPort] = ADDRESSES[entry];
  const given = process.env[hostName]?.trim() ?? '';
  const host = ANY.has(given) ? '127.0.0.1' : given;
  const port = process.env[portName]?.trim() || defaultPort;
  const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`).catch(
    () => undefined,
  );
  process.exitCode = answer?.ok ? 0 : 1;
}
