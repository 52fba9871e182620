import { MEDIA_NOT_FETCHED } from '../../domain/delivery-outcome.js';
import { auth, FAILURES, type FailureTemplate, permanent, RETRY, transient } from '../failures.js';

const CONVERT = 'Convert or replace the file, then schedule the post again.';

const scopeMissing = auth(
  'permission_missing',
  'The account has not allowed this service to publish on TikTok.',
  'Connect the account again and allow every permission, then retry the post.',
);
const pullFailed = transient(
  MEDIA_NOT_FETCHED,
  'TikTok could not fetch a file of this post. Nothing was published.',
  RETRY,
);

const forbidden = permanent(
  'forbidden_by_network',
  'TikTok does not allow this account to publish at present.',
  'Look for a restriction of the account in the TikTok app.',
);

/** `error.code`: tiktok-api-v2-error-handling and the reference pages of the content posting API (developers.tiktok.com/doc, read 2026-11-21). */
export const ERRORS: Readonly<Record<string, FailureTemplate>> = {
  access_token_invalid: FAILURES.tokenRefused,
  scope_not_authorized: scopeMissing,
  scope_permission_missed: scopeMissing,
  rate_limit_exceeded: FAILURES.rateLimited,
  spam_risk_too_many_posts: transient(
    'rate_limited',
    'The account has published as many posts on TikTok as one day allows.',
    'Retry tomorrow.',
  ),
  spam_risk_too_many_pending_share: transient(
    'rate_limited',
    'The account has as many unfinished posts on TikTok as one day allows.',
    'Retry tomorrow.',
  ),
  reached_active_user_cap: transient(
    'usage_capped',
    'As many accounts have published with this service on TikTok as one day allows.',
    'Retry tomorrow. An operator can ask TikTok for a higher limit.',
  ),
  spam_risk_user_banned_from_posting: forbidden,
  spam_risk_text: permanent(
    'refused_by_network',
    'TikTok takes the text of this post for spam.',
    'Change the text, then retry.',
  ),
  spam_risk: forbidden,
  privacy_level_option_mismatch: permanent(
    'privacy_not_allowed',
    'The TikTok account does not offer this privacy any more.',
    'Choose another privacy, then retry.',
  ),
  unaudited_client_can_only_post_to_private_accounts: permanent(
    'privacy_not_allowed',
    'TikTok has not audited this service: it publishes private posts of private accounts only.',
    'Make the account private at TikTok and set privacy to private, or ask an operator to have the service audited.',
  ),
  url_ownership_unverified: transient(
    'media_address_refused',
    'TikTok does not fetch files from the address of this service.',
    'An operator has to verify the prefix of MEDIA_PUBLIC_URL at TikTok; then retry.',
  ),
  invalid_params: FAILURES.refused,
  invalid_param: FAILURES.refused,
  invalid_file_upload: permanent('media_refused', 'TikTok does not take a file of this post.', CONVERT),
};

/** `fail_reason`: content-posting-api-reference-get-video-status, "Fail reasons" (read 2026-11-21). Nothing was published. */
export const FAIL_REASONS: Readonly<Record<string, FailureTemplate>> = {
  file_format_check_failed: permanent('media_refused', 'TikTok does not take the format of a file.', CONVERT),
  duration_check_failed: permanent(
    'video_too_long',
    'TikTok does not allow this account to publish a video of this length.',
    'Use a video of another length.',
  ),
  frame_rate_check_failed: permanent(
    'media_refused',
    'TikTok does not take the frame rate of the video.',
    CONVERT,
  ),
  picture_size_check_failed: permanent(
    'media_refused',
    'TikTok does not take the size of a file in pixels.',
    CONVERT,
  ),
  internal: transient('network_failed', 'TikTok failed to process the post. Nothing was published.', RETRY),
  video_pull_failed: pullFailed,
  photo_pull_failed: pullFailed,
  publish_cancelled: permanent(
    'cancelled_on_network',
    'The post was cancelled at TikTok.',
    'Schedule the post again if it is to be published.',
  ),
  auth_removed: FAILURES.tokenRefused,
};

export const processingFailed = permanent(
  'media_processing_failed',
  'TikTok could not process this post. Nothing was published.',
  CONVERT,
);

export const sentToInbox = permanent(
  'sent_to_inbox',
  'TikTok has put the post into the inbox of the account instead of publishing it.',
  'Finish it in the TikTok app, or delete it there and retry.',
);

export const mediaExpired = permanent(
  'media_expired',
  'TikTok no longer accepts the upload of this post. Nothing was published.',
  'Schedule the post again.',
);

export const mediaTooLarge = permanent(
  'media_too_large',
  'The video has more bytes than TikTok takes in one upload.',
  'Use a smaller video.',
);

export const mediaRefused = permanent('media_refused', 'TikTok does not take a file of this post.', CONVERT);
