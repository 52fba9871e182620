/** Where on the network a post goes, when the account alone does not say. Ids as the network gives them. */
export interface Target {
  readonly connectionId?: string;
  readonly pageId?: string;
  readonly groupId?: string;
  readonly organizationId?: string;
  readonly accountId?: string;
}
