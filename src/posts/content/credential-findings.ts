import type { Finding, Platform } from '#libs/content';
import { type ContentToCheck, renditionsOf } from '../../integrations/index.js';
import { keepsOriginal } from '../../media/index.js';

const MESSAGE =
  'The file is signed (Content Credentials), and must be changed to fit the network: the signature is lost. A mark that a model made it stays. Upload a picture in the format and size of the network, without a place, to keep it.';

/** Files that lose their Content Credentials. Pure. */
export function credentialFindings(platform: Platform, content: ContentToCheck): Finding[] {
  if (!content.media.some(({ hasCredentials }) => hasCredentials)) return [];
  return renditionsOf(platform, content).flatMap((spec, index): Finding[] => {
    const file = content.media[index];
    if (!file?.hasCredentials || spec === null || keepsOriginal(file, spec)) return [];
    const ruleId = `${platform}.media.credential-lost`;
    return [{ ruleId, severity: 'warning', message: MESSAGE, pointer: `#/mediaIds/${index}` }];
  });
}
