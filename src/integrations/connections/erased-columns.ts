/** Of an ended connection: no token and no personal data. The id stays, because posts, attempts and the audit name it. */
export const ERASED_COLUMNS = `state = 'disconnected', access_token = NULL, refresh_token = NULL, access_expires_at = NULL,
  refresh_expires_at = NULL, consent_id = NULL, username = '', display_name = '', avatar_url = NULL, facts = '{}', scopes = '{}',
  pages = '[]', groups = '[]', token_version = token_version + 1, updated_at = now()`;
