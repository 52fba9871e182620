/**
 * Who may import whom. Every rule here is seen failing in test/architecture.spec.ts.
 * Features are rooms, a room has one door (index.ts), and the arrows between rooms point one way.
 */

/** A room's name; the other folders of src are not rooms. */
const ROOM = '(?!platform/|sandbox/|embedded/|maintenance/)[^/]+';

/** What each room may import the door of, written out with everything behind it. */
const ARROWS = {
  brands: [],
  contacts: [],
  integrations: ['brands'],
  media: ['brands'],
  posts: ['integrations', 'media', 'brands'],
  'content-ops': ['posts', 'integrations', 'media', 'brands'],
  widget: ['content-ops', 'posts', 'integrations', 'media', 'brands'],
  ai: ['posts', 'integrations', 'media', 'brands'],
  pipelines: ['contacts'],
};

/** From the ground up: a lib imports lower floors only. */
const FLOORS = [
  ['errors', 'content', 'clock', 'concurrency', 'config', 'runtime'],
  ['database'],
  ['event-store', 'due-work', 'object-storage', 'platform-client'],
  ['http', 'uploads'],
  ['auth', 'health'],
];

const SPEC = '[.-]spec\\.ts$';
const PURE = `^src/${ROOM}/((?!index\\.|networks\\.)[^/.]+|[^/]+\\.(events|errors))\\.ts$`;
const IN_HOUSE = '^(src|libs|test|bench)/';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const arrows = Object.entries(ARROWS).map(([room, lower]) =>
  rule(
    `arrow-from-${room}`,
    `${room} may ask ${lower.join(', ') || 'no other room'}. To be told by an upper room, publish an event.`,
    { path: `^src/${room}/` },
    { path: `^src/${ROOM}/`, pathNot: `^src/(${[room, ...lower].join('|')})/` },
  ),
);

const floors = FLOORS.flatMap((libs, floor) =>
  libs.map((lib) =>
    rule(
      `floor-of-${lib}`,
      `libs/${lib} stands on lower libs only.`,
      { path: `^libs/${lib}/`, pathNot: SPEC },
      { path: '^libs/', pathNot: `^libs/(${[lib, ...FLOORS.slice(0, floor).flat()].join('|')})/` },
    ),
  ),
);

module.exports = {
  forbidden: [
    rule('no-circles', 'Two files that need each other are one file, or three.', {}, { circular: true }),
    rule('everything-is-found', 'An import that leads nowhere.', {}, { couldNotResolve: true }),
    rule(
      'room-has-one-door',
      'Another room is entered by its index.ts.',
      { path: `^src/(${ROOM})/` },
      { path: `^src/${ROOM}/`, pathNot: ['^src/$1/', `^src/${ROOM}/index\\.ts$`] },
    ),
    rule(
      'not-through-the-own-door',
      'Inside a room files import each other, not their own index.ts.',
      { path: `^src/(${ROOM})/` },
      { path: '^src/$1/index\\.ts$' },
    ),
    ...arrows,
    rule(
      'every-room-is-in-the-table',
      'A new room gets its line in ARROWS before it imports another one.',
      { path: `^src/(${ROOM})/`, pathNot: `^src/(${Object.keys(ARROWS).join('|')})/` },
      { path: `^src/${ROOM}/`, pathNot: '^src/$1/' },
    ),
    rule(
      'rooms-do-not-know-the-other-houses',
      'Platform services and the outside world are reached over HTTP.',
      { path: `^src/${ROOM}/` },
      { path: '^src/(platform|sandbox|embedded|maintenance)/' },
    ),
    rule(
      'audit-and-rollups-read-the-envelope',
      'They read every event of every room, so they know none.',
      { path: '^src/content-ops/(audit|rollup|rollups|daily)/' },
      { path: `^src/${ROOM}/`, pathNot: '^src/content-ops/' },
    ),
    rule(
      'plain-names-are-pure',
      'A plain file name at the root of a room holds rules: no framework, no database, no clock, no network.',
      { path: PURE },
      { pathNot: [PURE, '^libs/(errors|content|event-store)/src/index\\.ts$'] },
    ),
    rule(
      'plain-names-are-pure-within-their-room',
      'Rules of one room do not lean on those of another.',
      { path: `^src/(${ROOM})/((?!index\\.|networks\\.)[^/.]+|[^/]+\\.(events|errors))\\.ts$` },
      { path: '^src/', pathNot: '^src/$1/' },
    ),
    rule(
      'plain-names-take-only-types-of-the-event-store',
      'The rules know the shape of an event, not the machine that stores it.',
      { path: PURE },
      { path: '^libs/event-store/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'platform-services-stand-alone',
      'A platform service imports no room and no other service.',
      { path: '^src/platform/([^/]+)/' },
      { path: '^src/', pathNot: '^src/platform/$1/' },
    ),
    rule(
      'the-sandbox-is-the-outside-world',
      'It shares only what any HTTP server of ours needs.',
      { path: '^src/sandbox/', pathNot: SPEC },
      { path: IN_HOUSE, pathNot: ['^src/sandbox/', '^libs/(http|config|clock|runtime)/src/index\\.ts$'] },
    ),
    rule(
      'entries-know-modules-only',
      'What starts the rooms knows their modules, nothing inside.',
      { path: '^src/[^/]+\\.ts$|^src/(embedded|maintenance)/', pathNot: '^src/migrations\\.ts$' },
      { path: `^src/${ROOM}/`, pathNot: '^src/[^/]+/[^/]+\\.module\\.ts$' },
    ),
    rule(
      'migrations-are-collected-from-rooms',
      'The list that the API and the worker check against: of each room its migrations, of nobody else anything.',
      { path: '^src/migrations\\.ts$' },
      { path: '^src/', pathNot: `^src/${ROOM}/migrations/index\\.ts$` },
    ),
    rule(
      'only-the-embedded-start-knows-all-houses',
      'The API and the worker meet identity and the networks over HTTP.',
      { path: '^src/(?!embedded\\.ts)[^/]+\\.ts$' },
      { path: '^src/(platform|sandbox|embedded)/' },
    ),
    rule(
      'maintenance-knows-services-by-their-migrations',
      'Where they share a database, one command applies the migrations of all; it knows nothing else of a service.',
      { path: '^src/maintenance/' },
      {
        path: '^src/(platform|sandbox|embedded)/',
        pathNot: '^src/platform/[^/]+/migrations/index\\.ts$',
      },
    ),
    rule(
      'the-embedded-start-calls-entries-only',
      'It starts a service by the module that its entry file runs.',
      { path: '^src/embedded(\\.ts$|/)' },
      { path: '^src/(platform|sandbox)/', pathNot: '^src/(platform/[^/]+|sandbox)/start\\.ts$' },
    ),
    rule(
      'nobody-imports-an-entry',
      'Entry files start processes; only they and the embedded start import what starts a service.',
      {
        path: '^(src|libs)/',
        pathNot: [
          '^src/embedded(\\.ts$|/)',
          '^src/(main|worker)\\.ts$',
          '^src/(platform/[^/]+|sandbox)/main\\.ts$',
          SPEC,
        ],
      },
      {
        path: '^src/((main|worker|embedded|start-[^/]+)\\.ts|(platform/[^/]+|sandbox)/(main|start)\\.ts)$',
      },
    ),
    ...floors,
    rule(
      'content-is-pure',
      'libs/content holds the types that features share: no framework, no database, no clock, no network.',
      { path: '^libs/content/' },
      { pathNot: '^libs/content/' },
    ),
    rule('libs-do-not-know-src', 'A lib serves anyone.', { path: '^libs/' }, { path: '^(src|bench)/' }),
    rule(
      'lib-has-one-door',
      'A lib is entered by its index.ts, in tests also by testing/index.ts.',
      { path: '^libs/([^/]+)/' },
      { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/src/(testing/)?index\\.ts$'] },
    ),
    rule(
      'lib-has-one-door-for-src',
      'A lib is entered by its index.ts, in tests also by testing/index.ts.',
      { path: '^(src|bench|ormconfig)' },
      { path: '^libs/', pathNot: '^libs/[^/]+/src/(testing/)?index\\.ts$' },
    ),
    rule(
      'testing-doors-are-for-tests',
      'Production code knows no test double.',
      { path: '^(src|libs)/', pathNot: [SPEC, '/testing/'] },
      { path: '^test/|^libs/[^/]+/src/testing/' },
    ),
    rule(
      'no-dev-dependency-in-production',
      'The image has none of them.',
      { path: '^(src|libs)/', pathNot: [SPEC, '/testing/'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
    ),
    rule(
      'every-package-is-declared',
      'A package that another one happens to bring is not ours to import.',
      { path: '^(src|libs)/', pathNot: SPEC },
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
