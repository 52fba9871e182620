import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Platform } from '#libs/content';
import type { Account } from '../../integrations/index.js';
import { FindPublishingConnections } from '../../integrations/index.js';
import type { PostContent } from '../domain/post.events.js';

export interface AddressedContent {
  readonly brandId: string;
  readonly platform: Platform;
  readonly authorId: string;
  readonly content: Pick<PostContent, 'target'>;
}

/** The accounts that contents name: rules of networks depend on facts of the account, such as the longest video it may publish. */
@Injectable()
export class ContentAccounts {
  constructor(private readonly queries: QueryBus) {}

  /** null: the content names no connection, or none that publishes now. */
  async of(content: AddressedContent): Promise<Account | null> {
    return (await this.ofAll([content]))[0] ?? null;
  }

  /** In the order of the contents. One query; none when no content names a connection. */
  async ofAll(contents: readonly AddressedContent[]): Promise<(Account | null)[]> {
    const named = contents.filter(({ content }) => content.target.connectionId !== undefined);
    if (named.length === 0) return contents.map(() => null);
    const posts = named.map(({ content: { target }, ...rest }) => ({ ...rest, target }));
    const choices = await this.queries.execute(new FindPublishingConnections({ posts }));
    const accounts = new Map(
      named.map((content, index) => {
        const choice = choices[index];
        return [content, choice?.kind === 'connection' ? choice.account : null] as const;
      }),
    );
    return contents.map((content) => accounts.get(content) ?? null);
  }
}
