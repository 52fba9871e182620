/**
 * Who may import whom. Every rule here is seen failing in test/architecture.spec.ts.
 * A feature module has one public entry (index.ts); imports between features go one way.
 */

/** A feature's folder name; the other folders of src are no features. */
const FEATURE = '(?!api/|operator/|platform/)[^/]+';

const MAY_IMPORT = require('./.dependency-cruiser.features.cjs');

/** Lowest first: a lib imports lower layers only. */
const LIB_LAYERS = [
  ['errors', 'content', 'text', 'clock', 'config', 'email-address', 'messages', 'runtime', 'pages'],
  ['concurrency', 'database', 'encryption', 'outbound-http'],
  ['event-store', 'due-work', 'object-storage', 'platform-client'],
  ['http', 'uploads'],
  ['auth', 'health'],
];

/** Packages and modules of Node that call other hosts. */
const HTTP_CLIENTS = [
  '^(node:)?(http|https|http2)$',
  '(^|/)(undici|axios|got|ky|needle|node-fetch|superagent)(/|$)',
];
const SOCKETS = ['^(node:)?(net|tls|dgram|dns|dns/promises)$', '(^|/)(ws|nodemailer)(/|$)'];

const SPEC = '[.-]spec\\.ts$';
/** A feature's domain folder, or that of a part of the feature. */
const DOMAIN = { path: `^src/(${FEATURE})/(|.+/)domain/`, pathNot: SPEC };
const OWN_CODE = '^(src|libs|local|sandbox|test|bench)/';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const featureImports = Object.entries(MAY_IMPORT).map(([feature, lower]) =>
  rule(
    `imports-of-${feature}`,
    `${feature} may import ${lower.join(', ') || 'no other feature'}. For the other direction, publish an event.`,
    { path: `^src/${feature}/` },
    { path: `^src/${FEATURE}/`, pathNot: `^src/(${[feature, ...lower].join('|')})/` },
  ),
);

const libLayers = LIB_LAYERS.flatMap((libs, layer) =>
  libs.map((lib) =>
    rule(
      `layer-of-${lib}`,
      `libs/${lib} imports lower layers only.`,
      { path: `^libs/${lib}/`, pathNot: SPEC },
      { path: '^libs/', pathNot: `^libs/(${[lib, ...LIB_LAYERS.slice(0, layer).flat()].join('|')})/` },
    ),
  ),
);

module.exports = {
  forbidden: [
    rule(
      'no-import-cycles',
      'Merge two files that import each other, or move what they share into a third.',
      {},
      { circular: true },
    ),
    rule('every-import-resolves', 'The imported file does not exist.', {}, { couldNotResolve: true }),
    rule(
      'feature-has-one-public-entry',
      'Import another feature through its index.ts.',
      { path: `^src/(${FEATURE})/` },
      { path: `^src/${FEATURE}/`, pathNot: ['^src/$1/', `^src/${FEATURE}/index\\.ts$`] },
    ),
    rule(
      'not-through-its-own-public-entry',
      'Inside a feature, files import each other, not their own index.ts.',
      { path: `^src/(${FEATURE})/` },
      { path: '^src/$1/index\\.ts$' },
    ),
    ...featureImports,
    rule(
      'every-feature-is-in-the-table',
      'Add a new feature to MAY_IMPORT before it imports another one.',
      { path: `^src/(${FEATURE})/`, pathNot: `^src/(${Object.keys(MAY_IMPORT).join('|')})/` },
      { path: `^src/${FEATURE}/`, pathNot: '^src/$1/' },
    ),
    rule(
      'features-do-not-import-services',
      'Features call platform services and networks over HTTP.',
      { path: `^src/${FEATURE}/` },
      { path: '^src/(api|operator|platform)/' },
    ),
    rule(
      'audit-and-rollups-read-the-envelope',
      'They read the events of every feature, so they import none.',
      { path: '^src/content-ops/(audit|rollup|rollups|daily)/' },
      { path: `^src/${FEATURE}/`, pathNot: '^src/content-ops/' },
    ),
    rule(
      'domain-is-pure',
      "Everything under a feature's domain/ is pure: it imports domain files of its feature, #libs/errors, #libs/content, #libs/text, #libs/email-address and types of #libs/event-store.",
      DOMAIN,
      {
        pathNot: [
          '^src/$1/(|.+/)domain/',
          '^libs/(errors|content|text|email-address|event-store)/src/index\\.ts$',
        ],
      },
    ),
    rule(
      'domain-imports-only-types-of-the-event-store',
      'The rules depend on the shape of an event, not on how it is stored.',
      DOMAIN,
      { path: '^libs/event-store/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'services-import-no-feature',
      'A platform service imports no feature and no other service.',
      { path: '^src/platform/([^/]+)/' },
      { path: '^src/', pathNot: '^src/platform/$1/' },
    ),
    rule(
      'gateway-capabilities-import-only-shared-parts',
      'The four capabilities of the gateway import nothing of each other; they and the shared parts import access, audit, credentials and configs.',
      { path: '^src/platform/gateway/(access|audit|credentials|ai|email|payments|video)/' },
      {
        path: '^src/',
        pathNot: [
          '^src/platform/gateway/($1|access|audit|credentials)/',
          '^src/platform/gateway/[^/]+\\.config\\.ts$',
        ],
      },
    ),
    rule(
      'the-sandbox-imports-no-feature',
      'The sandbox imports only the libs that every HTTP server needs, and the threads in which it parses received files.',
      { path: '^sandbox/', pathNot: SPEC },
      {
        path: OWN_CODE,
        pathNot: ['^sandbox/', '^libs/(concurrency|config|clock|pages|runtime)/src/index\\.ts$'],
      },
    ),
    rule(
      'entries-import-modules-only',
      'An entry file imports the modules of features, nothing inside them.',
      { path: '^src/[^/]+\\.ts$|^src/(api|operator)/', pathNot: '^src/api/migrations\\.ts$' },
      { path: `^src/${FEATURE}/`, pathNot: '^src/[^/]+/[^/]+\\.module\\.ts$' },
    ),
    rule(
      'the-product-imports-no-stand-in',
      'The image holds neither local/ nor sandbox/ nor bench/. For libs, libs-do-not-import-src says the same.',
      { path: '^src/', pathNot: SPEC },
      { path: '^(local|sandbox|bench)/' },
    ),
    rule(
      'the-local-start-reads-declarations',
      'The local start imports what networks declare, and nothing else of a feature.',
      { path: '^local/' },
      { path: `^src/${FEATURE}/`, pathNot: '^src/integrations/networks\\.ts$' },
    ),
    rule(
      'migrations-are-collected-from-features',
      'The list that the API and the worker check against holds the migrations of features only.',
      { path: '^src/api/migrations\\.ts$' },
      { path: '^src/', pathNot: `^src/${FEATURE}/migrations/index\\.ts$` },
    ),
    rule(
      'the-api-imports-no-service',
      'The API and the worker call identity and the gateway over HTTP. The list of services imports what each declares.',
      { path: '^src/([^/]+\\.ts$|api/)' },
      { path: '^src/platform/', pathNot: '^src/platform/[^/]+/service\\.ts$' },
    ),
    rule(
      'operator-imports-commands-of-services',
      'Of services, commands import operator.ts only; the declarations come through src/services.ts.',
      { path: '^src/operator/' },
      {
        path: '^src/platform/',
        pathNot: '^src/platform/[^/]+/operator\\.ts$',
      },
    ),
    rule(
      'the-local-start-imports-entries-only',
      'The local start runs services by their declarations; apart from them it imports configs, operator commands and credentials of the sandbox only.',
      { path: '^local/' },
      {
        path: '^src/platform/|^sandbox/',
        pathNot: [
          '^src/platform/[^/]+/(service|operator|.+[.]config)\\.ts$',
          '^sandbox/(start|credentials|[^/]+\\.config)\\.ts$',
        ],
      },
    ),
    rule(
      'entries-are-not-imported',
      'Entry files start processes. Only the declaration of a service imports its start module.',
      {
        path: '^(src|libs|local)/',
        pathNot: ['^src/(api|platform/[^/]+)/service\\.ts$', SPEC],
      },
      {
        path: '^src/((main|worker|start-[^/]+)|(operator|platform/[^/]+)/(main|start))\\.ts$|^sandbox/main\\.ts$|^local/(main|operator)\\.ts$',
      },
    ),
    rule(
      'features-call-through-outbound-http',
      'Call with OutboundHttp of #libs/outbound-http, and addresses that a person or a model gave with PublicFetch.',
      { path: `^src/${FEATURE}/`, pathNot: SPEC },
      { path: [...HTTP_CLIENTS, ...SOCKETS], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'services-call-through-outbound-http',
      'Call with OutboundHttp of #libs/outbound-http. Mail servers of organizations: publicAddressesOf.',
      { path: '^src/platform/', pathNot: SPEC },
      { path: HTTP_CLIENTS, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'only-outbound-http-makes-http-clients',
      'A client of its own skips the limits of OutboundHttp; libs/platform-client has one for identity.',
      { path: '^libs/', pathNot: ['^libs/(outbound-http|platform-client)/', SPEC, '/testing/'] },
      { path: HTTP_CLIENTS[1], dependencyTypesNot: ['type-only'] },
    ),
    ...libLayers,
    rule(
      'content-is-pure',
      'libs/content holds the types that features share, libs/text what they know of text: no framework, no database, no clock, no network.',
      { path: '^libs/(content|text)/', pathNot: SPEC },
      { pathNot: '^libs/$1/' },
    ),
    rule(
      'libs-do-not-import-src',
      'A lib does not depend on its users.',
      { path: '^libs/' },
      { path: '^(src|local|sandbox|bench)/' },
    ),
    rule(
      'lib-has-one-public-entry',
      'Import a lib through its index.ts, in tests also through testing/index.ts.',
      { path: '^libs/([^/]+)/' },
      { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/(testing/)?index\\.ts$'] },
    ),
    rule(
      'lib-has-one-public-entry-for-src',
      'Import a lib through its index.ts, in tests also through testing/index.ts.',
      { path: '^(src|local|sandbox|bench|ormconfig)' },
      { path: '^libs/', pathNot: '^libs/[^/]+/src/(testing/)?index\\.ts$' },
    ),
    rule(
      'testing-entries-are-for-tests',
      'Production code imports no test support.',
      { path: '^(src|libs|local|sandbox)/', pathNot: [SPEC, '/testing/'] },
      { path: '^test/|^libs/[^/]+/src/testing/' },
    ),
    rule(
      'no-dev-dependency-in-production',
      'The image contains no dev dependencies.',
      { path: '^(src|libs)/', pathNot: [SPEC, '/testing/'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
    ),
    rule(
      'every-package-is-declared',
      'Declare an imported package in package.json; a transitive one can disappear.',
      { path: '^(src|libs|local|sandbox)/', pathNot: SPEC },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    webpackConfig: { fileName: '.dependency-cruiser.resolve.cjs' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
