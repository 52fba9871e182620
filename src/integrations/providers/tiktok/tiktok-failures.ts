import { MEDIA_NOT_FETCHED } from '../../domain/delivery-outcome.js';
import { FAILURES, type FailureTemplate } from '../failures.js';

const WAIT = 'Retry in some minutes.';
const CONVERT = 'Convert or replace the file, then schedule the post again.';

const scopeMissing: FailureTemplate = [
  'permission_missing',
  'auth',
  'The account has not allowed this service to publish on TikTok.',
  'Connect the account again and allow every permission, then retry the post.',
];
const pullFailed: FailureTemplate = [
  MEDIA_NOT_FETCHED,
  'transient',
  'TikTok could not fetch a file of this post. Nothing was published.',
  WAIT,
];

const forbidden: FailureTemplate = [
  'forbidden_by_network',
  'permanent',
  'TikTok does not allow this account to publish at present.',
  'Look for a restriction of the account in the TikTok app.',
];

/** `error.code`: tiktok-api-v2-error-handling and the reference pages of the content posting API (developers.tiktok.com/doc, read 2026-11-21). */
export const ERRORS: Readonly<Record<string, FailureTemplate>> = {
  access_token_invalid: FAILURES.tokenRefused,
  scope_not_authorized: scopeMissing,
  scope_permission_missed: scopeMissing,
  rate_limit_exceeded: FAILURES.rateLimited,
  spam_risk_too_many_posts: [
    'rate_limited',
    'transient',
    'The account has published as many posts on TikTok as one day allows.',
    'Retry tomorrow.',
  ],
  spam_risk_too_many_pending_share: [
    'rate_limited',
    'transient',
    'The account has as many unfinished posts on TikTok as one day allows.',
    'Retry tomorrow.',
  ],
  reached_active_user_cap: [
    'usage_capped',
    'transient',
    'As many accounts have published with this service on TikTok as one day allows.',
    'Retry tomorrow. An operator can ask TikTok for a higher limit.',
  ],
  spam_risk_user_banned_from_posting: forbidden,
  spam_risk_text: [
    'refused_by_network',
    'permanent',
    'TikTok takes the text of this post for spam.',
    'Change the text, then retry.',
  ],
  spam_risk: forbidden,
  privacy_level_option_mismatch: [
    'privacy_not_allowed',
    'permanent',
    'The TikTok account does not offer this privacy any more.',
    'Choose another privacy, then retry.',
  ],
  unaudited_client_can_only_post_to_private_accounts: [
    'privacy_not_allowed',
    'permanent',
    'TikTok has not audited this service: it publishes private posts of private accounts only.',
    'Make the account private at TikTok and set privacy to private, or ask an operator to have the service audited.',
  ],
  url_ownership_unverified: [
    'media_address_refused',
    'transient',
    'TikTok does not fetch files from the address of this service.',
    'An operator has to verify the prefix of MEDIA_PUBLIC_URL at TikTok; then retry.',
  ],
  invalid_params: FAILURES.refused,
  invalid_param: FAILURES.refused,
  invalid_file_upload: ['media_refused', 'permanent', 'TikTok does not take a file of this post.', CONVERT],
};

/** `fail_reason`: content-posting-api-reference-get-video-status, "Fail reasons" (read 2026-11-21). Nothing was published. */
export const FAIL_REASONS: Readonly<Record<string, FailureTemplate>> = {
  file_format_check_failed: [
    'media_refused',
    'permanent',
    'TikTok does not take the format of a file.',
    CONVERT,
  ],
  duration_check_failed: [
    'video_too_long',
    'permanent',
    'TikTok does not allow this account to publish a video of this length.',
    'Use a video of another length.',
  ],
  frame_rate_check_failed: [
    'media_refused',
    'permanent',
    'TikTok does not take the frame rate of the video.',
    CONVERT,
  ],
  picture_size_check_failed: [
    'media_refused',
    'permanent',
    'TikTok does not take the size of a file in pixels.',
    CONVERT,
  ],
  internal: [
    'network_failed',
    'transient',
    'TikTok failed to process the post. Nothing was published.',
    WAIT,
  ],
  video_pull_failed: pullFailed,
  photo_pull_failed: pullFailed,
  publish_cancelled: [
    'cancelled_on_network',
    'permanent',
    'The post was cancelled at TikTok.',
    'Schedule the post again if it is to be published.',
  ],
  auth_removed: FAILURES.tokenRefused,
};

export const processingFailed: FailureTemplate = [
  'media_processing_failed',
  'permanent',
  'TikTok could not process this post. Nothing was published.',
  CONVERT,
];

export const sentToInbox: FailureTemplate = [
  'sent_to_inbox',
  'permanent',
  'TikTok has put the post into the inbox of the account instead of publishing it.',
  'Finish it in the TikTok app, or delete it there and retry.',
];

export const mediaExpired: FailureTemplate = [
  'media_expired',
  'permanent',
  'TikTok no longer accepts the upload of this post. Nothing was published.',
  'Schedule the post again.',
];

export const mediaTooLarge: FailureTemplate = [
  'media_too_large',
  'permanent',
  'The video has more bytes than TikTok takes in one upload.',
  'Use a smaller video.',
];

export const mediaRefused: FailureTemplate = [
  'media_refused',
  'permanent',
  'TikTok does not take a file of this post.',
  CONVERT,
];
