import type { QueryRunner } from 'typeorm';

interface SeededService {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Only applications are launchable. */
  readonly kind: 'application' | 'api' | 'runtime' | 'support';
  readonly group: string;
  readonly householdCapable: boolean;
  readonly contexts: readonly ('personal' | 'organization')[];
  /** Scope → what it lets somebody do. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Role → the scopes it brings. */
  readonly bundles: Readonly<Record<'owner' | 'admin' | 'member' | 'viewer', readonly string[]>>;
}

const SOCIAL_PUBLISHING = {
  'accounts.read': 'See brands and connected accounts',
  'accounts.write': 'Create, change and transfer brands; connect and disconnect accounts',
  'analytics.read': 'Read daily rollups, audit events and trends',
  'api_keys.write': 'Create, rotate and revoke API keys',
  'calendar.read': 'See the calendar',
  'calendar.write': 'Schedule and reschedule',
  'dashboard.read': 'See the live workspace widget',
  'posts.read': 'Read posts, the queue and media',
  'posts.write': 'Create, edit, approve, reject and retry posts; upload media; generate images',
};

const CONTACT_MANAGEMENT = {
  'contacts.read': 'Read, search and export contacts',
  'contacts.write': 'Create, change, import and delete contacts',
  'pipelines.read': 'See pipelines and boards',
  'pipelines.write': 'Create and change pipelines; move contacts',
};

const WORKSPACE_LAUNCHER = {
  'api_keys.write': 'Create, rotate and revoke API keys',
  'apps.read': 'See installed and available applications',
  'apps.write': 'Install and remove applications',
  'dashboard.read': 'See the dashboard',
  'entitlements.read': 'See what was bought',
  'launcher.read': 'Open the launcher',
  'launches.read': 'See what was launched',
  'notifications.read': 'Read notifications',
  'notifications.write': 'Mark and dismiss notifications',
  'settings.read': 'See settings',
  'settings.write': 'Change settings',
  'widgets.read': 'See live widgets',
  'workflows.read': 'See workflows',
  'workflows.write': 'Create and change workflows',
};

const PROVIDER_GATEWAY = {
  'ai.invoke': 'Use the AI routes',
  'apps.read': 'See the applications that use the gateway',
  'limits.manage': 'Set spending limits',
  'org.admin': 'Administer the gateway for the organization',
  'organizations.provision': 'Provision organizations',
  'provider_credentials.manage': 'Manage provider credentials',
  'service.invoke': 'Call on behalf of a service',
  'usage.read': 'See usage and cost',
};

const AGENT = {
  'agents.read': 'See agents',
  'agents.write': 'Create and change agents',
  'approvals.write': 'Decide pending approvals',
  'knowledge.read': 'Read knowledge and person profiles',
  'knowledge.write': 'Change knowledge and person profiles',
  'reports.read': 'Read reports',
  'runs.invoke': 'Start runs',
  'workflows.read': 'See workflows',
  'workflows.write': 'Create and change workflows',
  'workspace.read': 'See the workspace',
  'workspace.write': 'Change the workspace',
};

/** Owners and admins get everything but `platformOnly`, members all but `adminsOnly` too, viewers what can be read. */
function bundles(scopes: object, adminsOnly: readonly string[], platformOnly: readonly string[] = []) {
  const admins = Object.keys(scopes).filter((scope) => !platformOnly.includes(scope));
  const members = admins.filter((scope) => !adminsOnly.includes(scope));
  return {
    owner: admins,
    admin: admins,
    member: members,
    viewer: members.filter((scope) => scope.endsWith('.read')),
  };
}

const IN_ORGANIZATIONS = { householdCapable: false, contexts: ['organization'] } as const;

const SEEDED_SERVICES: readonly SeededService[] = [
  {
    slug: 'social-publishing',
    name: 'Social publishing',
    kind: 'application',
    group: 'marketing',
    description: 'Draft, approve, schedule and publish posts.',
    ...IN_ORGANIZATIONS,
    scopes: SOCIAL_PUBLISHING,
    bundles: bundles(SOCIAL_PUBLISHING, ['accounts.write', 'api_keys.write']),
  },
  {
    slug: 'contact-management',
    name: 'Contact management',
    kind: 'application',
    group: 'customers',
    description: 'Contacts, pipelines and their boards.',
    ...IN_ORGANIZATIONS,
    scopes: CONTACT_MANAGEMENT,
    bundles: bundles(CONTACT_MANAGEMENT, []),
  },
  {
    slug: 'workspace-launcher',
    name: 'Workspace launcher',
    kind: 'application',
    group: 'workspace',
    description: 'The dashboard and the application catalog.',
    householdCapable: true,
    contexts: ['personal', 'organization'],
    scopes: WORKSPACE_LAUNCHER,
    bundles: bundles(WORKSPACE_LAUNCHER, ['api_keys.write', 'apps.write', 'settings.write']),
  },
  {
    slug: 'provider-gateway',
    name: 'Provider gateway',
    kind: 'api',
    group: 'platform',
    description: 'Typed access to AI, mail, payment and video providers.',
    ...IN_ORGANIZATIONS,
    scopes: PROVIDER_GATEWAY,
    bundles: bundles(
      PROVIDER_GATEWAY,
      ['limits.manage', 'org.admin', 'provider_credentials.manage'],
      ['organizations.provision', 'service.invoke'],
    ),
  },
  {
    slug: 'agent',
    name: 'Agent service',
    kind: 'application',
    group: 'automation',
    description: 'Workflow agents and person profiles.',
    ...IN_ORGANIZATIONS,
    scopes: AGENT,
    bundles: bundles(AGENT, ['agents.write', 'approvals.write', 'workspace.write']),
  },
  {
    slug: 'identity',
    name: 'Identity',
    kind: 'support',
    group: 'platform',
    description: 'Accounts, organizations, keys and what everybody may do.',
    householdCapable: false,
    contexts: ['personal', 'organization'],
    scopes: {},
    bundles: { owner: [], admin: [], member: [], viewer: [] },
  },
];

/**
 * Applications that call the provider gateway with a token of their own. They have no scopes, and no organization gets access to
 * them.
 */
const APPLICATIONS = ['mail', 'notification', 'payment', 'settlement'];

/** Their identifiers are made by the database and differ from installation to installation. From then on the tables count. */
export async function seedServices(runner: QueryRunner): Promise<void> {
  for (const service of SEEDED_SERVICES) await seed(runner, service);
  await runner.query(
    `INSERT INTO identity.service
       (slug, name, description, surface_kind, surface_group, launchable, supported_contexts, granted_to_new_organizations)
     SELECT slug, initcap(slug), 'Calls the provider gateway.', 'support', 'platform', false, '{organization}', false
       FROM unnest($1::text[]) AS slug`,
    [APPLICATIONS],
  );
}

async function seed(runner: QueryRunner, service: SeededService): Promise<void> {
  const { slug, name, description, kind, group, householdCapable, contexts, scopes, bundles } = service;
  const [row] = (await runner.query(
    `INSERT INTO identity.service
       (slug, name, description, surface_kind, surface_group, launchable, household_capable, supported_contexts)
     VALUES ($1, $2, $3, $4, $5, $4 = 'application', $6, $7) RETURNING id`,
    [slug, name, description, kind, group, householdCapable, contexts],
  )) as { id: string }[];
  await runner.query(
    `INSERT INTO identity.permission (service_id, scope, description)
     SELECT $1, scope, description FROM unnest($2::text[], $3::text[]) AS s (scope, description)`,
    [row?.id, Object.keys(scopes), Object.values(scopes)],
  );
  await runner.query(
    `INSERT INTO identity.api_key_scope (service_id, scope)
     SELECT service_id, scope FROM identity.permission WHERE service_id = $1`,
    [row?.id],
  );
  for (const [role, bundle] of Object.entries(bundles)) {
    await runner.query(
      `INSERT INTO identity.role_bundle (service_id, role, name) VALUES ($1, $2, initcap($2) || ' of ' || $3::text)`,
      [row?.id, role, name],
    );
    await runner.query(
      `INSERT INTO identity.role_bundle_permission (service_id, role, scope) SELECT $1, $2, unnest($3::text[])`,
      [row?.id, role, bundle],
    );
  }
}
