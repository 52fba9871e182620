import { Injectable } from '@nestjs/common';
import { BUSINESS_API_SLUG, IdentityClient } from '#libs/platform-client';
import { ImagesAreNotSetUp } from '../image.errors.js';

/** The registered identifier of this service, which is found by its slug at run time. */
@Injectable()
export class OwnRegistration {
  constructor(private readonly identity: IdentityClient) {}

  /** @throws ImagesAreNotSetUp without a registration; IdentityIsUnavailable */
  async id(): Promise<string> {
    const found = await this.identity.registration(BUSINESS_API_SLUG);
    if (!found) throw new ImagesAreNotSetUp('service_not_registered');
    return found.id;
  }
}
