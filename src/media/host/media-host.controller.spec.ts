import { jest } from '@jest/globals';
import type { Request, Response } from 'express';
import { type ObjectStorage, ObjectStorageIsUnavailable } from '#libs/object-storage';
import type { MediaAddresses } from './media-addresses.js';
import { MediaHostController } from './media-host.controller.js';
import { MediaHostIsBusy } from './media-host.errors.js';
import { OpenFiles } from './open-files.js';

const LIMIT = 500;

describe('the media host', () => {
  it('sends a limited number of files at once, and more after these have ended', async () => {
    const store = Promise.withResolvers<never>();
    const get = () => store.promise;
    const addresses: Pick<MediaAddresses, 'read'> = { read: () => ({ key: 'key', secondsLeft: 1 }) };
    const host = new MediaHostController(addresses as MediaAddresses, { get } as unknown as ObjectStorage);
    const request = { method: 'GET', headers: {} } as Request;
    const fetch = () => host.fetchMedia('token', request, {} as Response);
    const open = Promise.allSettled(Array.from({ length: LIMIT }, fetch));
    await expect(fetch()).rejects.toThrow(MediaHostIsBusy);
    store.reject(new ObjectStorageIsUnavailable(new Error('The store is gone.')));
    expect((await open).map(({ status }) => status)).toEqual(Array<string>(LIMIT).fill('rejected'));
    await expect(fetch()).rejects.toThrow(ObjectStorageIsUnavailable);
  });

  it('ends the slowest response for another one when all places are taken', async () => {
    jest.useFakeTimers();
    const files = new OpenFiles();
    const clients: { destroy: jest.Mock; socket: { bytesWritten: number } }[] = [];
    const ended = Promise.withResolvers<void>();
    const send = () => {
      const client = { destroy: jest.fn(), socket: { bytesWritten: 1_000 * clients.length } };
      clients.push(client);
      return files.within(client as unknown as Response, () => ended.promise);
    };
    const endedClients = () =>
      clients.flatMap(({ destroy }, at) => (destroy.mock.calls.length > 0 ? [at] : []));
    const open = Array.from({ length: LIMIT }, send);
    await expect(send()).rejects.toThrow(MediaHostIsBusy);

    jest.advanceTimersByTime(5_000);
    clients.forEach(({ socket }, at) => (socket.bytesWritten += at === 7 ? 10 : 1_000));
    open.push(send());
    expect(endedClients()).toEqual([7]);
    jest.advanceTimersByTime(4_000);
    clients.forEach(({ socket }, at) => (socket.bytesWritten += at === 3 ? 10 : 2_000));
    open.push(send(), send());
    expect(endedClients()).toEqual([0, 3, 7]);
    ended.resolve();
    await Promise.all(open);
  });
});
