import pg from 'pg';

/**
 * node scripts/schema-catalogue.mjs <database URL>
 *
 * Prints everything that migrations created in a database, object by object, in an order that does not depend on the order of creation. Two databases have the same schema when the outputs are equal: compare them before and after migrations are squashed.
 *
 * Columns keep their order. Of functions only the indentation and blank lines are left out. Owners are not printed. Columns whose
 * default differs from database to database (`gen_random_uuid()`, `now()`) are left out of rows, and references to them name the row.
 */
const OWN_SCHEMAS = `(
  SELECT oid FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema')`;
const isOwn = (catalogue, oid, namespace) =>
  `${namespace} IN ${OWN_SCHEMAS} AND NOT EXISTS (
     SELECT FROM pg_depend WHERE classid = '${catalogue}'::regclass AND objid = ${oid} AND deptype = 'e')`;

/** Each query selects the objects of one kind as texts. */
const QUERIES = [
  `SELECT format('schema %I %s', nspname, nspacl) FROM pg_namespace WHERE oid IN ${OWN_SCHEMAS}`,

  `SELECT format('extension %I %s in %s', extname, extversion, extnamespace::regnamespace) FROM pg_extension`,

  `SELECT format('relation %s %s: kind %s, persistence %s, options %s, replica identity %s, row security %s %s, grants %s', c.oid::regclass,
     pg_get_viewdef(c.oid), relkind, relpersistence, reloptions, relreplident, relrowsecurity, relforcerowsecurity, relacl)
   FROM pg_class c WHERE relkind NOT IN ('i', 'I') AND ${isOwn('pg_class', 'c.oid', 'relnamespace')}`,

  `SELECT format('column %s %s %I %s: nullable %s, default %s, identity %s, generated %s, collation %s, storage %s, compression %s, '
       || 'statistics %s, options %s, grants %s',
     c.oid::regclass, lpad((count(*) OVER (PARTITION BY c.oid ORDER BY attnum))::text, 3, '0'), attname,
     format_type(atttypid, atttypmod), NOT attnotnull, pg_get_expr(adbin, adrelid), attidentity, attgenerated,
     attcollation::regcollation, attstorage, attcompression, nullif(attstattarget, -1), attoptions, attacl)
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
   LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = attnum
   WHERE (relkind NOT IN ('i', 'I') OR attstattarget <> -1) AND ${isOwn('pg_class', 'c.oid', 'relnamespace')}`,

  `SELECT format('constraint %s %I: %s, valid %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid), convalidated)
   FROM pg_constraint k WHERE ${isOwn('pg_constraint', 'k.oid', 'connamespace')}`,

  `SELECT format('index %s: %s, valid %s, clustered %s', indexrelid::regclass, pg_get_indexdef(indexrelid), indisvalid, indisclustered)
   FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE ${isOwn('pg_class', 'c.oid', 'relnamespace')}`,

  `SELECT format('statistics %s', pg_get_statisticsobjdef(s.oid)) FROM pg_statistic_ext s WHERE stxnamespace IN ${OWN_SCHEMAS}`,

  `SELECT format('trigger %s %I: %s, enabled %s', tgrelid::regclass, tgname, pg_get_triggerdef(t.oid), tgenabled)
   FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
   WHERE NOT tgisinternal AND ${isOwn('pg_class', 'c.oid', 'relnamespace')}`,

  `SELECT format('rule %s', pg_get_ruledef(r.oid)) FROM pg_rewrite r JOIN pg_class c ON c.oid = ev_class
   WHERE rulename <> '_RETURN' AND ${isOwn('pg_class', 'c.oid', 'relnamespace')}`,

  `SELECT format('policy %s', to_jsonb(p)) FROM pg_policies p`,

  `SELECT format('function %s: grants %s, %s', p.oid::regprocedure, proacl, pg_get_functiondef(p.oid))
   FROM pg_proc p WHERE prokind IN ('f', 'p') AND ${isOwn('pg_proc', 'p.oid', 'pronamespace')}`,

  `SELECT format('sequence %s', to_jsonb(s) - 'seqrelid' || jsonb_build_object('name', seqrelid::regclass,
     'owned by', pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)))
   FROM pg_sequence s JOIN pg_class c ON c.oid = seqrelid
   LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = seqrelid AND d.deptype IN ('a', 'i')
   WHERE ${isOwn('pg_class', 'c.oid', 'relnamespace')}`,

  `SELECT format('type %s %s, values %s', t.oid::regtype, typtype,
     (SELECT array_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid))
   FROM pg_type t WHERE typtype IN ('e', 'd', 'r') AND ${isOwn('pg_type', 't.oid', 'typnamespace')}`,

  `SELECT format('comment on %s: %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description)
   FROM pg_description d, pg_identify_object(d.classoid, d.objoid, d.objsubid) o
   WHERE o.schema IN (SELECT nspname FROM pg_namespace WHERE oid IN ${OWN_SCHEMAS}) AND NOT EXISTS (
     SELECT FROM pg_depend e WHERE (e.classid, e.objid) = (d.classoid, d.objoid) AND e.deptype = 'e')`,

  `SELECT format('default privileges %s', to_jsonb(p)) FROM pg_default_acl p`,
];

/** Their values differ from database to database. */
const GENERATED = /gen_random_uuid|now\(\)|clock_timestamp/;

const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
const objects = [];
for (const query of QUERIES) {
  const { rows } = await client.query({ text: query, rowMode: 'array' });
  objects.push(...rows.map(([object]) => object.replace(/\n\s*/g, '\n')));
}
console.log([...objects, ...(await rowsOf(await tables()))].sort().join('\n'));
await client.end();

/** Each table with the default of each column. */
async function tables() {
  const { rows } = await client.query(
    `SELECT c.oid::regclass AS name, jsonb_object_agg(attname, coalesce(pg_get_expr(adbin, adrelid), '')) AS defaults
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = attnum
     WHERE relkind = 'r' AND relname <> 'schema_migration' AND ${isOwn('pg_class', 'c.oid', 'relnamespace')} GROUP BY c.oid`,
  );
  return rows;
}

async function rowsOf(tables) {
  const [rows, names] = [[], new Map()];
  for (const { name, defaults } of tables) {
    const generated = Object.keys(defaults).filter((column) => GENERATED.test(defaults[column]));
    const { rows: found } = await client.query(
      `SELECT to_jsonb(t) - $1::text[] AS kept, to_jsonb(t) AS whole FROM ${name} t`,
      [generated],
    );
    for (const { kept, whole } of found) {
      const text = JSON.stringify(kept, Object.keys(kept).sort());
      for (const column of generated) names.set(String(whole[column]), `<${name} ${text}>`);
      rows.push(`row of ${name}: ${text}`);
    }
  }
  return rows.map((row) =>
    row.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => names.get(id) ?? id),
  );
}
