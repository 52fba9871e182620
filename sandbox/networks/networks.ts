import type { SandboxNetwork } from '../outside-service.js';
import { sandboxAi } from '../ai/ai.service.js';
import { sandboxFeeds } from '../feeds/feeds.service.js';
import { sandboxMail } from '../mail/mail.service.js';
import { sandboxFacebook } from './facebook/facebook.service.js';
import { sandboxInstagram } from './instagram/instagram.service.js';
import { sandboxLinkedIn } from './linkedin/linkedin.service.js';
import { sandboxThreads } from './threads/threads.service.js';
import { sandboxTikTok } from './tiktok/tiktok.service.js';
import { sandboxPayments } from '../payments/payments.service.js';
import { sandboxX } from './x/x.service.js';
import { sandboxYoutube } from './youtube/youtube.service.js';

/** A part of the sandbox is its folder and its line here. */
export const SANDBOX_NETWORKS: readonly SandboxNetwork[] = [
  sandboxX,
  sandboxLinkedIn,
  sandboxFacebook,
  sandboxInstagram,
  sandboxThreads,
  sandboxTikTok,
  sandboxYoutube,
  sandboxMail,
  sandboxPayments,
  sandboxAi,
  sandboxFeeds,
];
