import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts the bytes of attachments for the storage quota. By triggers, so that a replica that knows no quota counts too, and
 * the erasure of a contact, which deletes by a foreign key, is not forgotten.
 */
export class AttachmentBytes1790000000810 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Locks the table until the migration commits, so that no attachment is counted twice or not at all.
    await runner.query('ALTER TABLE contacts.attachment ADD COLUMN organization_id uuid');
    await runner.query(`
      UPDATE contacts.attachment SET organization_id = contact.organization_id
      FROM contacts.contact WHERE contact.id = attachment.contact_id`);
    await runner.query(`
      SELECT uploads.count_bytes(organization_id, sum(size)::bigint) FROM contacts.attachment
      GROUP BY organization_id`);
    for (const definition of TRIGGERS) await runner.query(definition);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER count_added_bytes ON contacts.attachment');
    await runner.query('DROP TRIGGER count_removed_bytes ON contacts.attachment');
    await runner.query('DROP TRIGGER name_organization ON contacts.attachment');
    await runner.query('DROP FUNCTION contacts.count_attachment_bytes()');
    await runner.query('DROP FUNCTION contacts.name_organization_of_attachment()');
    await runner.query(`
      SELECT uploads.count_bytes(organization_id, -sum(size)::bigint) FROM contacts.attachment
      GROUP BY organization_id`);
    await runner.query('ALTER TABLE contacts.attachment DROP COLUMN organization_id');
  }
}

/** The organization is kept with the row: when a contact is erased, its own row is gone before its attachments are. */
const TRIGGERS = [
  `CREATE FUNCTION contacts.name_organization_of_attachment() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     SELECT contact.organization_id INTO NEW.organization_id
     FROM contacts.contact WHERE contact.id = NEW.contact_id;
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER name_organization BEFORE INSERT ON contacts.attachment
   FOR EACH ROW EXECUTE FUNCTION contacts.name_organization_of_attachment()`,
  `CREATE FUNCTION contacts.count_attachment_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM uploads.count_bytes(organization_id, bytes * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END)
     FROM (SELECT organization_id, sum(size)::bigint AS bytes FROM changed
           WHERE organization_id IS NOT NULL GROUP BY organization_id ORDER BY organization_id) AS sums;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER count_added_bytes AFTER INSERT ON contacts.attachment
   REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION contacts.count_attachment_bytes()`,
  `CREATE TRIGGER count_removed_bytes AFTER DELETE ON contacts.attachment
   REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION contacts.count_attachment_bytes()`,
];
