import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir } from 'node:fs/promises';

export interface EmbeddedObjectStorageOptions {
  /** Folder of the objects, absolute; made when it is not there. */
  readonly directory: string;
  /** Made when it is not there. In production it is the operator's: who may read it, where it lies, how it is encrypted. */
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface EmbeddedObjectStorage {
  /** For `S3_ENDPOINT`, with `S3_FORCE_PATH_STYLE=true`. */
  readonly endpoint: string;
  /** Cuts what is under way. */
  stop(): Promise<void>;
}

interface Context {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  throw(status: number): never;
}

/** The parts of the package that are used here; it brings no types. */
interface S3rver {
  readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
  readonly httpServer: Server;
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** Its only account; it comes with a key that everybody knows. */
interface Account {
  readonly DUMMY_ACCOUNT: {
    createKeyPair(accessKeyId: string, secretAccessKey: string): void;
    revokeAccessKey(accessKeyId: string): void;
  };
}

const PACKAGE = '@20minutes/s3rver';
const KNOWN_TO_EVERYBODY = 'S3RVER';

/**
 * A small S3 server on a free port of loopback, for one machine with nothing installed; files in a folder. Only requests signed with
 * the one key get in.
 * @throws Error when the package is not there, as in production.
 */
export async function startEmbeddedObjectStorage(
  options: EmbeddedObjectStorageOptions,
): Promise<EmbeddedObjectStorage> {
  const { directory, bucket, accessKeyId, secretAccessKey } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { Server: ServerClass, account } = await load();
  account.createKeyPair(accessKeyId, secretAccessKey);
  account.revokeAccessKey(KNOWN_TO_EVERYBODY);
  const server = new ServerClass({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: bucket }],
  });
  server.middleware.unshift(refuseUnsigned);
  const address = await server.run();
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    async stop() {
      const closed = server.close();
      server.httpServer.closeAllConnections();
      await closed;
    },
  };
}

/** By names that are no literals: a dev dependency is not to be found by whoever follows imports. */
async function load(): Promise<{
  Server: new (options: object) => S3rver;
  account: Account['DUMMY_ACCOUNT'];
}> {
  const server = (await import(PACKAGE)) as { default: new (options: object) => S3rver };
  const accounts = (await import(`${PACKAGE}/lib/models/account.js`)) as { default: Account };
  return { Server: server.default, account: accounts.default.DUMMY_ACCOUNT };
}

/** The server checks signatures that are there, and lets in who has none. */
function refuseUnsigned(context: Context, next: () => Promise<void>): Promise<void> {
  const isSigned = context.headers.authorization !== undefined || 'X-Amz-Signature' in context.query;
  return isSigned ? next() : context.throw(403);
}
