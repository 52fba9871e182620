import { createServer } from 'node:net';
import { variablesOf } from '#libs/config';
import { EmbeddedConfig } from './embedded.config.js';
import { Refusal } from './refusal.js';

/** Looks before anything is started, so that nothing has to be taken down again. @throws Refusal */
export async function refuseTakenPorts(config: EmbeddedConfig): Promise<void> {
  const ports = variablesOf(EmbeddedConfig).filter(({ name }) => name.endsWith('_PORT'));
  for (const { name, property } of ports) {
    const port = config[property as keyof EmbeddedConfig] as number;
    if (port === 0)
      throw new Refusal(`${name} is 0, but the parts must know each other's ports. Choose one.`);
    if (await isFree(port, config.host)) continue;
    throw new Refusal(
      `Port ${port} is in use. Stop what uses it, or choose another one: ${name}=${port + 20_000} npm start`,
    );
  }
}

/** A port that nothing uses at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No address.');
  return address.port;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
