import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Finding, Platform, Target } from '#libs/content';
import { type Account, type ConnectionChoice, FindPublishingConnections } from '../../integrations/index.js';
import type { PostContent } from '../domain/post.events.js';

export interface AddressedContent {
  readonly brandId: string;
  readonly platform: Platform;
  readonly authorId: string;
  readonly content: Pick<PostContent, 'target'>;
}

/** The account that a content names. */
export interface ResolvedAccount {
  /** null: the content names none, or none that publishes now. */
  readonly account: Account | null;
  /** What the content names and no connection of the brand reaches. */
  readonly targetFindings: readonly Finding[];
}

export const UNRESOLVED: ResolvedAccount = { account: null, targetFindings: [] };

/** The accounts that contents name: rules of networks depend on facts of the account, such as the longest video it may publish. */
@Injectable()
export class ContentAccounts {
  constructor(private readonly queries: QueryBus) {}

  async of(content: AddressedContent): Promise<ResolvedAccount> {
    return (await this.ofAll([content]))[0] ?? UNRESOLVED;
  }

  /** In the order of the contents. One query; none when no content names a target. */
  async ofAll(contents: readonly AddressedContent[]): Promise<ResolvedAccount[]> {
    const named = contents.filter(({ content }) => isNamed(content.target));
    if (named.length === 0) return contents.map(() => UNRESOLVED);
    const posts = named.map(({ content: { target }, ...rest }) => ({ ...rest, target }));
    const choices = await this.queries.execute(new FindPublishingConnections({ posts }));
    const found = new Map(
      named.map((content, index) => [content, resolvedAccountOf(content, choices[index])] as const),
    );
    return contents.map((content) => found.get(content) ?? UNRESOLVED);
  }
}

const isNamed = (target: Target): boolean => Object.values(target).some((id) => id !== undefined);

/** That a connection exists is checked with the other references of a content. */
function resolvedAccountOf(
  { platform }: AddressedContent,
  choice: ConnectionChoice | undefined,
): ResolvedAccount {
  if (choice === undefined) return UNRESOLVED;
  if (choice.kind === 'connection') return { account: choice.account, targetFindings: [] };
  const unreached = choice.unreached.filter((member) => member !== 'connectionId');
  return { account: null, targetFindings: unreached.map((member) => notConnected(platform, member)) };
}

const notConnected = (platform: Platform, member: string): Finding => ({
  ruleId: `${platform}.target.not-connected`,
  severity: 'error',
  message: 'No connection of the brand reaches this target. Connect it to the brand, or choose another one.',
  pointer: `#/target/${member}`,
});
