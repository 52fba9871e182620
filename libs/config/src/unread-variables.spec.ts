import { unreadVariables } from './unread-variables.js';

describe('Variables that no process reads', () => {
  it('are those that begin like variables of the product, but are not listed', () => {
    const list = '# DATABASE_URL=\n# NODE_ENV=development\n# HOST=127.0.0.1\n#   set -a; . ./.env\n';
    const environment = {
      ...{ DATABASE_URL: 'x', DATABASE_POOLSIZE: '3', NODE_OPTIONS: 'y' },
      ...{ PATH: '/bin', HOSTNAME: 'a', HOME: '/', database_url: 'z' },
    };
    expect(unreadVariables(environment, list)).toEqual(['DATABASE_POOLSIZE']);
  });

  it('are found with the list of the product', () => {
    expect(unreadVariables({ NETWORK_LIMIT: '1', NETWORK_LIMITS: 'x/posts=1' })).toEqual(['NETWORK_LIMIT']);
  });
});
