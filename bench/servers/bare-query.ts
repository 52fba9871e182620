import { createServer } from 'node:http';
import { Pool } from 'pg';

/** One named statement, and the values of each client; a client's number is the path it asks for. */
export interface BareQuery {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (readonly unknown[])[];
}

/** The limit for a list over HTTP from Node: the statement, its rows as JSON, and nothing around it. */
const { DATABASE_URL, API_PORT, BARE_QUERY } = process.env;
const { name, text, values } = JSON.parse(BARE_QUERY ?? '') as BareQuery;
const pool = new Pool({ connectionString: DATABASE_URL, max: 20 });

const server = createServer((request, response) => {
  void pool
    .query({ name, text, values: [...(values[Number(request.url?.slice(1))] ?? [])] })
    .then(({ rows }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: rows }));
    })
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(Number(API_PORT), '127.0.0.1', () => process.stdout.write(`listens on ${API_PORT}\n`));
process.once('SIGTERM', () => process.exit(0));
