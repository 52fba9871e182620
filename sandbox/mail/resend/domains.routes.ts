import { json, type SandboxResponse } from '../../wire/response.js';
import type { AccountRoute, ResendAccounts, ResendDomain } from './accounts.js';
import { resendError } from './resend-errors.js';

const NAME = /^([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/;

/** Domains of an account (resend.com/docs/api-reference/domains). */
export function domainRoutes(accounts: ResendAccounts): AccountRoute[] {
  const onDomain = (
    method: AccountRoute['method'],
    path: string,
    answer: (domain: ResendDomain, account: string) => SandboxResponse,
  ): AccountRoute => ({
    method,
    path,
    handle({ params }, account) {
      const domain = accounts.domainsOf(account).find(({ id }) => id === params.id);
      return domain ? answer(domain, account) : resendError(404, 'not_found', 'Domain not found');
    },
  });
  return [
    {
      method: 'GET',
      path: '/domains',
      handle: (_call, account) =>
        json(200, { object: 'list', has_more: false, data: accounts.domainsOf(account).map(viewOf) }),
    },
    {
      method: 'POST',
      path: '/domains',
      handle: (call, account) => {
        const { name } = (call.json?.value ?? {}) as { name?: unknown };
        if (typeof name !== 'string' || !NAME.test(name))
          return resendError(422, 'validation_error', 'Invalid `name` field.');
        if (accounts.domainsOf(account).some((domain) => domain.name === name))
          return resendError(403, 'validation_error', `The ${name} domain has been registered already.`);
        return json(201, viewOf(accounts.addDomain(account, name)));
      },
    },
    onDomain('GET', '/domains/:id', (domain) => json(200, viewOf(domain))),
    onDomain('POST', '/domains/:id/verify', (domain, account) => {
      accounts.verify(account, domain);
      return json(200, { object: 'domain', id: domain.id });
    }),
  ];
}

const viewOf = ({ id, name, status, createdAt }: ResendDomain): object => ({
  object: 'domain',
  id,
  name,
  status,
  created_at: createdAt,
  region: 'us-east-1',
});
