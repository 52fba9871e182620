/** Scopes of Google that the app can ask for, with their text on the consent page. */
export const SCOPES = {
  'https://www.googleapis.com/auth/youtube.upload': 'Manage your YouTube videos.',
  'https://www.googleapis.com/auth/youtube.readonly': 'View your YouTube account.',
  'https://www.googleapis.com/auth/youtube': 'Manage your YouTube account.',
} as const;

export const UPLOAD_SCOPES = [
  'https://www.googleapis.com/auth/youtube.upload',
  'https://www.googleapis.com/auth/youtube',
] as const;
export const READ_SCOPES = [
  'https://www.googleapis.com/auth/youtube.readonly',
  'https://www.googleapis.com/auth/youtube',
] as const;
