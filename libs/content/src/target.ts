/** The destination of a post within its account. Ids as issued by the network. */
export interface Target {
  readonly connectionId?: string;
  readonly pageId?: string;
  readonly groupId?: string;
  readonly organizationId?: string;
  readonly accountId?: string;
}
