import { randomUUID } from 'node:crypto';
import type { EmbeddedConfig } from '../../local/embedded.config.js';
import { providerAddresses, SANDBOX_MODELS, sandboxCredentials } from '../../local/providers.js';
import { ensurePlatformCredentials, ensurePlatformModels } from '../../src/platform/gateway/operator.js';
import { type BootedGateway, bootGateway } from './boot-gateway.js';
import { PaymentsSandbox } from './payments-sandbox.js';
import { SandboxForTests } from './sandbox.js';
import { SandboxMailForTests } from './sandbox-mail.js';
import { bearer } from './walk.js';

const SCOPES = ['ai.invoke', 'limits.manage', 'org.admin', 'provider_credentials.manage'];

/** The gateway with all providers of a sandbox, set up as the start on one machine does it. */
export class ProvidersWorld {
  readonly organizationId = randomUUID();
  private readonly userId = randomUUID();

  private constructor(
    private readonly sandbox: SandboxForTests,
    readonly payments: PaymentsSandbox,
    readonly gateway: BootedGateway,
  ) {}

  /** @param overrides of the environment of the gateway */
  static async open(overrides: Readonly<Record<string, string>>): Promise<ProvidersWorld> {
    const sandbox = await SandboxForTests.start();
    try {
      return await ProvidersWorld.around(sandbox, overrides);
    } catch (error) {
      await sandbox.stop();
      throw error;
    }
  }

  private static async around(
    sandbox: SandboxForTests,
    overrides: Readonly<Record<string, string>>,
  ): Promise<ProvidersWorld> {
    const payments = await PaymentsSandbox.of(sandbox);
    const portOf = (url: string) => Number(new URL(url).port);
    const config = {
      host: '127.0.0.1',
      sandboxPort: portOf(sandbox.url),
      sandboxPaymentsPort: portOf(payments.url),
      sandboxMailPort: await new SandboxMailForTests(sandbox).port(),
      dataDirectory: '.data',
    } satisfies EmbeddedConfig;
    const addresses = providerAddresses({}, config) as Record<string, string>;
    const gateway = await bootGateway(`${sandbox.url}/youtube`, { ...addresses, ...overrides });
    const { environment } = gateway;
    try {
      await ensurePlatformCredentials(environment, sandboxCredentials({}, {}, config));
      await ensurePlatformModels(environment, SANDBOX_MODELS);
      return new ProvidersWorld(sandbox, payments, gateway);
    } catch (error) {
      await gateway.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.sandbox.stop();
  }

  /** Headers of a service that calls for the organization. */
  get service(): Promise<Record<string, string>> {
    return this.gateway.headers({ organizationId: this.organizationId });
  }

  /** Headers of a person who owns the organization. */
  get owner(): Record<string, string> {
    const organizations = [{ id: this.organizationId, role: 'owner', scopes: SCOPES }];
    return bearer(this.gateway.identity.user({ id: this.userId, organizations }));
  }

  get platformAdmin(): Record<string, string> {
    const organizations = [{ id: randomUUID(), role: 'admin', isAdministrative: true }];
    const principalType = 'platform_super_admin' as const;
    return bearer(this.gateway.identity.user({ principalType, organizations }));
  }
}
