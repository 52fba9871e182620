import { hash } from 'node:crypto';
import { html } from '#libs/pages';
import type { SandboxResponse } from '../../../wire/response.js';
import type { SandboxAccount } from '../state/accounts.js';

/** A disc in the account's own colour with the initials of its name. */
export function avatar(account: SandboxAccount): SandboxResponse {
  const hue = Number.parseInt(hash('sha256', account.username, 'hex').slice(0, 4), 16) % 360;
  const initials = account.name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
  const image = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">
    <rect width="96" height="96" fill="hsl(${hue} 55% 42%)" />
    <text
      x="48"
      y="49"
      fill="#fff"
      font-family="system-ui, sans-serif"
      font-size="38"
      font-weight="600"
      text-anchor="middle"
      dominant-baseline="central"
    >
      ${initials}
    </text>
  </svg>`;
  return {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'max-age=3600',
    },
    body: image.text,
  };
}
