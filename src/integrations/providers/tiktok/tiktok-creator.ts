import { Injectable } from '@nestjs/common';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import { NetworkIsUnavailable } from '../../domain/integration.errors.js';
import type { AccountFacts, AccountProfile } from '../../domain/provider-grants.js';
import { addressIn, bodyIn, recordIn, wordsIn } from '../values.js';
import { PRIVACY_LEVELS } from './tiktok-post-info.js';
import { dataIn, openIdIn } from './tiktok-values.js';
import { TikTokConfig } from './tiktok.config.js';

const USER_PATH = '/v2/user/info/?fields=open_id,union_id,avatar_url,display_name';
/** UTF-16 units. */
const MAX_NAME = 200;
/** An hour; TikTok documents 3, 5 and 10 minutes. */
const LONGEST_VIDEO_SECONDS = 3_600;

/**
 * The account of a token: tiktok-api-v2-get-user-info and content-posting-api-reference-query-creator-info (developers.tiktok.com/doc,
 * read 2026-11-21). Only the second one tells the username with these scopes. It allows 20 requests a minute.
 */
@Injectable()
export class TikTokCreator {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: TikTokConfig,
  ) {}

  async profile(accessToken: string): Promise<AccountProfile> {
    const request = { ...get(this.config.apiUrl + USER_PATH), headers: bearer(accessToken) };
    const user = dataIn(bodyIn(await this.http.send(request)));
    const { open_id: id, display_name: name, avatar_url: avatar } = recordIn(user?.user);
    const accountId = openIdIn(id);
    if (accountId === null) throw new NetworkIsUnavailable('TikTok');
    const creator = dataIn(bodyIn(await this.query(accessToken)));
    if (creator === null) throw new NetworkIsUnavailable('TikTok');
    const displayName = wordsIn(name, MAX_NAME) ?? wordsIn(creator.creator_nickname, MAX_NAME);
    const username = wordsIn(creator.creator_username, MAX_NAME) ?? displayName;
    if (username === null) throw new NetworkIsUnavailable('TikTok');
    return {
      accountId,
      username,
      displayName: displayName ?? username,
      avatarUrl: addressIn(avatar) ?? addressIn(creator.creator_avatar_url),
      facts: this.factsIn(creator),
    };
  }

  async facts(accessToken: string): Promise<AccountFacts> {
    const creator = dataIn(bodyIn(await this.query(accessToken)));
    if (creator === null) throw new NetworkIsUnavailable('TikTok');
    return this.factsIn(creator);
  }

  query(accessToken: string): Promise<OutboundResponse> {
    return this.http.send({
      method: 'POST',
      url: `${this.config.apiUrl}/v2/post/publish/creator_info/query/`,
      headers: { ...bearer(accessToken), 'content-type': 'application/json; charset=UTF-8' },
      body: '{}',
    });
  }

  factsIn(creator: Readonly<Record<string, unknown>>): AccountFacts {
    const { privacy_level_options: levels, max_video_post_duration_sec: seconds } = creator;
    const known = Array.isArray(levels)
      ? PRIVACY_LEVELS.filter(({ level }) => levels.includes(level)).map(({ privacy }) => privacy)
      : [];
    return {
      privacies: known,
      commentsDisabled: creator.comment_disabled === true,
      duetsDisabled: creator.duet_disabled === true,
      stitchesDisabled: creator.stitch_disabled === true,
      ...(isSeconds(seconds) && { maxVideoSeconds: seconds }),
      ...(this.config.isSandbox && { onlyPrivate: true }),
    };
  }
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && value <= LONGEST_VIDEO_SECONDS;

const get = (url: string) => ({ method: 'GET' as const, url });

export const bearer = (accessToken: string): Record<string, string> => ({
  authorization: `Bearer ${accessToken}`,
});
