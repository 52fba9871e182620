import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { freePort } from '../../local/ports.js';
import { Child } from './child.js';
import { fetched } from './fetched-package.js';

const APPLICATION = 'bench';
const CLASS = '/parse/classes/Post';
/** A signed-in user of Parse Server. */
interface ParseUser {
  readonly objectId: string;
  readonly sessionToken: string;
}

/** Parse Server on a database of its own: objects of signed-in users, each with an access list, without events. */
export class ParseServer {
  private readonly users: ParseUser[] = [];

  private constructor(private readonly pool: Pool) {}

  /** @param folder of its log files */
  static async start(database: string, users: number, folder: string): Promise<ParseServer> {
    const entry = await fetched({ name: 'parse-server', version: '9.10.0', entry: 'bin/parse-server' });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await Child.start('bench/servers/on-loopback.js', {
      args: [entry],
      cwd: folder,
      environment: {
        NODE_ENV: 'production',
        PORT: String(port),
        PARSE_SERVER_APPLICATION_ID: APPLICATION,
        PARSE_SERVER_MASTER_KEY: randomBytes(32).toString('hex'),
        PARSE_SERVER_DATABASE_URI: database,
        PARSE_SERVER_URL: `${url}/parse`,
        PARSE_SERVER_ALLOW_CLIENT_CLASS_CREATION: 'true',
        PARSE_SERVER_LOG_LEVEL: 'error',
      },
      ready: 'running on',
    });
    const server = new ParseServer(new Pool(url, { connections: users }));
    for (let user = 0; user < users; user += 1) await server.signUp(user);
    return server;
  }

  create(user: number, fields: object): Promise<unknown> {
    return this.send('POST', CLASS, this.session(user), this.owned(user, fields));
  }

  /** The newest ones that the user may read. @returns their number */
  async list(user: number, limit: number): Promise<number> {
    const path = `${CLASS}?order=-createdAt&limit=${limit}`;
    const { results } = (await this.send('GET', path, this.session(user))) as { results: unknown[] };
    return results.length;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async signUp(number: number): Promise<void> {
    const account = { username: `author-${number}`, password: 'correct horse battery staple' };
    this.users.push((await this.send('POST', '/parse/users', {}, account)) as ParseUser);
  }

  private session(user: number) {
    return { 'x-parse-session-token': (this.users[user] as ParseUser).sessionToken };
  }

  /** Readable and writable by the user alone. */
  private owned(user: number, fields: object): object {
    return { ...fields, ACL: { [(this.users[user] as ParseUser).objectId]: { read: true, write: true } } };
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<unknown> {
    const all = { 'x-parse-application-id': APPLICATION, 'content-type': 'application/json', ...headers };
    const response = await this.pool.request({
      method,
      path,
      headers: all,
      body: body && JSON.stringify(body),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text);
  }
}
