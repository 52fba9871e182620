import { Server } from 'node:net';

/** Starts a server that would listen on all addresses, on loopback alone. Parameters: its entry file, and its own parameters. */
const listen = Reflect.get(Server.prototype, 'listen') as (this: Server, ...parameters: unknown[]) => Server;
Server.prototype.listen = function onLoopback(this: Server, ...parameters: unknown[]): Server {
  const [port, ...others] = parameters;
  const callback = others.find((each) => typeof each === 'function');
  return listen.call(this, port, '127.0.0.1', callback);
} as typeof Server.prototype.listen;

const [entry = ''] = process.argv.splice(2, 1);
await import(entry);
