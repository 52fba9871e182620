import type { OutboundHttp, OutboundResponse } from '#libs/outbound-http';
import type { CommitCall, NetworkCall, ReconcileRequest } from '../../domain/provider-publishing.js';
import { graphGet, graphPost } from '../graph/graph-wire.js';
import type { ContainerNetwork, Fields } from './container-network.js';

/** The largest page of the lists of an account. More posts since the attempt yield no evidence, never false evidence. */
const NEWEST = '100';

export class ContainerApi {
  constructor(
    private readonly http: OutboundHttp,
    private readonly network: ContainerNetwork,
  ) {}

  quota(call: Pick<NetworkCall, 'account' | 'accessToken'>): Promise<OutboundResponse> {
    const url = this.below(call.account.accountId, this.network.paths.quota);
    return this.http.send(graphGet(url, call.accessToken, { fields: this.network.quotaFields }));
  }

  create(call: NetworkCall, fields: Fields): Promise<OutboundResponse> {
    const url = this.below(call.account.accountId, this.network.paths.containers);
    return this.http.send(graphPost(url, call.accessToken, fields));
  }

  status(accessToken: string, container: string, timeoutMs?: number): Promise<OutboundResponse> {
    const url = this.at(container);
    return this.http.send({
      ...graphGet(url, accessToken, { fields: this.network.statusFields }),
      timeoutMs,
    });
  }

  /** The irreversible call: one call, never repeated here. */
  publish({ account, accessToken, maySend }: CommitCall, container: string): Promise<OutboundResponse> {
    const url = this.below(account.accountId, this.network.paths.publish);
    return this.http.send({ ...graphPost(url, accessToken, { creation_id: container }), maySend });
  }

  permalink(accessToken: string, post: string, timeoutMs: number): Promise<OutboundResponse> {
    return this.http.send({ ...graphGet(this.at(post), accessToken, { fields: 'permalink' }), timeoutMs });
  }

  list({ account, accessToken }: ReconcileRequest, list: string): Promise<OutboundResponse> {
    const fields = { fields: this.network.postFields, limit: NEWEST };
    return this.http.send(graphGet(this.below(account.accountId, list), accessToken, fields));
  }

  private at(node: string): string {
    return `${this.network.baseUrl}/${encodeURIComponent(node)}`;
  }

  private below(node: string, path: string): string {
    return `${this.at(node)}/${path}`;
  }
}
