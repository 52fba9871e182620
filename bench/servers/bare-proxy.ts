import { randomUUID } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { Pool } from 'pg';

/**
 * The limit for a gateway in Node: passes each call on to one provider, unread. With PROXY_DATABASE_URL it stores one row before each
 * call: the limit for a gateway that knows of every call it made, whenever it is killed.
 */
const { PROXY_TARGET = '', PROXY_PORT, PROXY_DATABASE_URL } = process.env;
const CONNECTIONS = 10;
const target = new URL(PROXY_TARGET);
const agent = new Agent({ keepAlive: true });

function pass(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = incoming;
  const outgoing = request(
    {
      agent,
      method,
      host: target.hostname,
      port: target.port,
      path: target.pathname + url,
      headers: { ...headers, host: target.host },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  outgoing.once('error', () => response.destroy());
  incoming.pipe(outgoing);
}

async function storeIn(connectionString: string): Promise<() => Promise<unknown>> {
  const pool = new Pool({ connectionString, max: CONNECTIONS });
  await pool.query('CREATE TABLE call (id uuid PRIMARY KEY)');
  return () =>
    pool.query({ name: 'store', text: 'INSERT INTO call (id) VALUES ($1)', values: [randomUUID()] });
}

const store = PROXY_DATABASE_URL === undefined ? null : await storeIn(PROXY_DATABASE_URL);
const server = createServer((incoming, response) => {
  if (!store) return pass(incoming, response);
  store().then(
    () => pass(incoming, response),
    () => response.destroy(),
  );
});
server.listen(Number(PROXY_PORT), '127.0.0.1', () => process.stdout.write(`listens on ${PROXY_PORT}\n`));
process.once('SIGTERM', () => process.exit(0));
