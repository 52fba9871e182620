import { readFileSync } from 'node:fs';
import { SERVICES } from '../dist/src/services.js';

/**
 * The image's HEALTHCHECK: requests the health of the entry in the command of the container's first process, on its port.
 * Another command (a migration) has no address and counts as healthy. Runs every few seconds: declarations of services are data.
 */
const ANY = new Set(['', '0.0.0.0', '::']);

const [, , commandFile = '/proc/1/cmdline'] = process.argv;
// Under an init (`docker run --init`) the entry's command is at the end of the init's own.
const words = readFileSync(commandFile, 'utf8').split('\0');
const service = SERVICES.find(({ entry }) => words.some((word) => `/${word}`.endsWith(`/dist/${entry}.js`)));
if (service) {
  const { variable, default: defaultPort } = service.port ?? service.managementPort;
  const given = process.env.HOST?.trim() ?? '';
  const host = ANY.has(given) ? '127.0.0.1' : given;
  const port = process.env[variable]?.trim() || defaultPort;
  const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`).catch(
    () => undefined,
  );
  process.exitCode = answer?.ok ? 0 : 1;
}
