import { Agent, createServer, request } from 'node:http';

/** The limit for a gateway in Node: passes each call on to one provider, unread. */
const { PROXY_TARGET = '', PROXY_PORT } = process.env;
const target = new URL(PROXY_TARGET);
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, response) => {
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
});
server.listen(Number(PROXY_PORT), '127.0.0.1', () => process.stdout.write(`listens on ${PROXY_PORT}\n`));
process.once('SIGTERM', () => process.exit(0));
