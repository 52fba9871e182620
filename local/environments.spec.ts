import { loadConfig } from '#libs/config';
import { EmbeddedConfig } from './embedded.config.js';
import { localEnvironment } from './environments.js';
import { generateSecrets } from './secrets.js';

const addressesFor = (host: string) => {
  const given = { HOST: host };
  const { PUBLIC_URL, IDENTITY_URL, API_INTERNAL_URL, SANDBOX_REDIRECT_URIS } = localEnvironment(
    given,
    loadConfig(EmbeddedConfig, given),
    generateSecrets(),
    {},
  );
  // Every network has one, in the order of networks.
  const [ofFirst, ...others] = String(SANDBOX_REDIRECT_URIS).split(',');
  for (const other of others) expect(new URL(other).origin).toBe(new URL(String(ofFirst)).origin);
  return [PUBLIC_URL, IDENTITY_URL, API_INTERNAL_URL, ofFirst];
};

describe('the addresses by which the parts on one machine call each other', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
    ['192.0.2.1', '192.0.2.1'],
    ['::1', '[::1]'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '[::1]'],
  ])('are addresses to call where they listen on %s', (host, called) => {
    expect(addressesFor(host)).toEqual([
      `http://${called}:3000`,
      `http://${called}:3001`,
      `http://${called}:9000`,
      `http://${called}:3000/api/integrations/x/callback`,
    ]);
  });
});
