const QUALIFIED = /^([a-z_][a-z0-9_]*)\.([a-z_][a-z0-9_]*)$/;

/** @throws Error unless the name is `schema.table` in lower case, which is safe in SQL without quotes */
export function parseTableName(name: string): { schema: string; table: string } {
  const [, schema, table] = QUALIFIED.exec(name) ?? [];
  if (!schema || !table) throw new Error(`"${name}" is not a schema-qualified table name.`);
  return { schema, table };
}

/** The schema of all tables. @throws Error when they are in several */
export function commonSchemaOf(tables: readonly string[]): string {
  const schemas = new Set(tables.map((name) => parseTableName(name).schema));
  const [schema] = schemas;
  if (schemas.size !== 1 || !schema) throw new Error(`${tables.join(', ')} must be in one schema.`);
  return schema;
}
