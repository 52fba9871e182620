import { createHmac } from 'node:crypto';

/** `t=<seconds>,v1=<hex>`; one v1 for each secret during a rotation. */
export function signatureHeader(body: string, seconds: number, secrets: readonly string[]): string {
  const signatures = secrets.map((secret) => `v1=${sign(body, seconds, secret)}`);
  return [`t=${seconds}`, ...signatures].join(',');
}

function sign(body: string, seconds: number, secret: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}
