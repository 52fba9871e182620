import { type ApiResponse, ask, type Call } from './call.js';
import type { SandboxForTests } from './sandbox.js';

interface Services {
  readonly api: { readonly service: { readonly url: string } };
  readonly sandbox: SandboxForTests;
}

/** Who connects which accounts for which brand. */
interface Connecting {
  readonly call: Call;
  readonly platform: string;
  readonly brandId: string;
  /** Of the person at the network. */
  readonly username: string;
}

/** As a person does it in a browser. @returns the page at the end */
export async function connectAccount(
  { api, sandbox }: Services,
  { call, platform, brandId, username }: Connecting,
): Promise<ApiResponse> {
  const begun = await call('POST', `/api/integrations/${platform}/connect?brandId=${brandId}`);
  const { pathname, search } = await sandbox.allow(begun.body.authorizationUrl as string, username);
  const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
  return ask(api.service.url + pathname + search, { headers: { cookie } });
}
