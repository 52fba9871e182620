import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, registerDecorator, type ValidationOptions } from 'class-validator';
import { is, shape } from '#libs/http';
import { webAddress } from '../../domain/web-address.js';
import type { BrandFeeds } from '../../feeds.store.js';

export const MAX_FEEDS = 10;
const MAX_URL = 2_048;
const URLS = {
  type: [String] as [StringConstructor],
  format: 'uri',
  maxItems: MAX_FEEDS,
  example: ['https://news.example.com/rss'],
};

const each: ValidationOptions = { each: true };

function IsFeedAddress(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isFeedAddress',
      target: target.constructor,
      propertyName: String(property),
      options: {
        ...each,
        message: `each must be an http or https address of at most ${MAX_URL} characters without user name and password`,
        context: { code: 'not_a_web_address' },
      },
      validator: { validate: (value: unknown) => webAddress(value) !== null },
    });
}

export class SetFeedsDto {
  @ApiProperty({
    ...URLS,
    description:
      'Addresses of RSS, Atom, RDF or JSON feeds; equal ones count once. They replace the present ones. Only public hosts and the ports 80 and 443 are called.',
  })
  @IsArray()
  @ArrayMaxSize(MAX_FEEDS)
  @IsFeedAddress()
  feeds!: string[];

  /** Without fragments, which servers never see. */
  static urlsIn({ feeds }: SetFeedsDto): string[] {
    const urls = feeds.flatMap((feed) => webAddress(feed)?.replace(/#.*$/, '') ?? []);
    return [...new Set(urls)];
  }
}

export class FeedsDto extends shape({
  brandId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  feeds: is.of<readonly string[]>({ ...URLS, description: 'As URLs are normally written.' }),
  version: is.integer({ description: 'Part of the ETag; 0: none were ever set.', example: 1 }),
}) {
  static of({ brandId, urls, version }: BrandFeeds): FeedsDto {
    return { brandId, feeds: urls, version };
  }
}
