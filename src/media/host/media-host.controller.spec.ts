import type { Request, Response } from 'express';
import type { ObjectStorage } from '#libs/object-storage';
import { ObjectStorageIsUnavailable } from '#libs/object-storage';
import type { MediaAddresses } from './media-addresses.js';
import { MediaHostController } from './media-host.controller.js';
import { MediaHostIsBusy } from './media-host.errors.js';

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
});
