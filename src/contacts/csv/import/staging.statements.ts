/**
 * An import works in temporary tables of its session: invisible to everybody else, not logged, gone with the
 * connection. `import_row` is the file; `import_plan` says what is to happen to each good row; `import_contact` holds
 * each contact that is to be written, once, however many rows speak of it.
 */
export const CREATE_STAGING = [
  `CREATE TEMP TABLE import_row (
     row int, id uuid, name text, email text, email_key text, company text, job_title text, phones text[], tags text[],
     custom_fields jsonb, external_id text, match_key text, new_id uuid, failed boolean, problems text, raw text, line int)`,
  `CREATE TEMP TABLE import_plan (
     row int, first_row int, n int, of int, target uuid, outcome text, code text)`,
  `CREATE TEMP TABLE import_contact (
     first_row int, target uuid, version int, was_deleted boolean, is_changed boolean, fault text, id uuid, name text,
     email text, email_key text, company text, job_title text, phones text[], tags text[], custom_fields jsonb,
     external_id text)`,
];

export const COPY_ROWS = 'COPY import_row FROM STDIN';

/** Without numbers about them the planner would take these tables for small ones. */
export const ANALYZE_ROWS = 'ANALYZE import_row';

export const EMPTY_PLAN = 'TRUNCATE import_plan, import_contact';

export const DROP_STAGING = 'DROP TABLE IF EXISTS import_contact, import_plan, import_row';
