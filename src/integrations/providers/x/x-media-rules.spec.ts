import { type MediaFacts, unknownMedia } from '#libs/content';
import { mediaFindings, renditions } from './x-media-rules.js';
import { preflight } from './x-rules.js';

const file = (facts: Partial<MediaFacts>): MediaFacts => ({ ...unknownMedia('m'), ...facts });
const image = (more: Partial<MediaFacts> = {}) => file({ kind: 'image', ...more });
const gif = (more: Partial<MediaFacts> = {}) =>
  file({ kind: 'animation', width: 1_280, height: 1_080, frames: 217, bytes: 15_000_000, ...more });
const video = (more: Partial<MediaFacts> = {}) =>
  file({
    kind: 'video',
    width: 1_280,
    height: 1_024,
    durationMs: 1_200_000,
    frameRate: 60,
    videoCodec: 'avc1.640028',
    audioCodec: 'mp4a.40.2',
    audioChannels: 2,
    bytes: 4_194_304_000,
    ...more,
  });
const rules = (...media: readonly MediaFacts[]) =>
  mediaFindings({ media, account: null }).map(
    ({ ruleId, severity }) => `${severity} ${ruleId.replace('x.media.', '')}`,
  );

describe('a video of more than 20 minutes', () => {
  const media = [video({ durationMs: 1_200_001 })];
  const of = (subscription: string) => ({ accountId: '7', username: 'acme', facts: { subscription } });
  const severities = (content: Omit<Parameters<typeof mediaFindings>[0], 'media'>) =>
    mediaFindings({ media, ...content }).map(({ ruleId, severity }) => `${severity} ${ruleId}`);

  it('is refused for an account without a subscription, and taken from a subscriber', () => {
    expect(severities({ account: of('None') })).toEqual(['error x.media.video-long']);
    expect(severities({ account: of('Premium') })).toEqual([]);
  });

  it('is a warning while the account is not known, and when the post is sent', () => {
    expect(severities({ account: null })).toEqual(['warning x.media.video-long']);
    expect(severities({ account: { ...of('None'), facts: {} } })).toEqual(['warning x.media.video-long']);
    expect(severities({ account: of('None'), isSent: true })).toEqual(['warning x.media.video-long']);
  });
});

describe('the files of a post on X', () => {
  it.each([
    ['four photos', [image(), image(), image(), image()], []],
    ['five photos', Array.from({ length: 5 }, () => image()), ['error too-many']],
    ['one GIF', [gif()], []],
    ['one video', [video()], []],
    ['two videos', [video(), video()], ['error mixed']],
    ['a photo and a GIF', [image(), gif()], ['error mixed']],
    ['a photo and a video', [video(), image()], ['error mixed']],
    ['files of which nothing is known', [unknownMedia('1'), unknownMedia('2')], []],
    ['five files of which nothing is known', '12345'.split('').map(unknownMedia), ['error too-many']],
  ])('%s', (_, media, expected) => {
    expect(rules(...media)).toEqual(expected);
  });

  it.each([
    ['a photo of any size: the rendition fits', image({ bytes: 60_000_000, width: 20_000, height: 9 }), []],
    ['frames of a GIF', gif({ frames: 351, width: 10, height: 10 }), ['error gif-frames']],
    ['pixels of a GIF', gif({ frames: 218 }), ['error gif-pixels']],
    ['the width of a GIF', gif({ width: 1_281, height: 100 }), ['warning gif-scaled']],
    ['the height of a GIF', gif({ width: 100, height: 1_081 }), ['warning gif-scaled']],
    ['the bytes of a GIF', gif({ bytes: 15_000_001 }), ['warning gif-scaled']],
    ['H.265', video({ videoCodec: 'hvc1.1.6.L93.B0' }), ['error video-codec']],
    ['VP9', video({ videoCodec: 'vp09.00.10.08' }), ['error video-codec']],
    ['4:4:4', video({ videoCodec: 'avc1.f4001f' }), ['error video-chroma']],
    ['4:2:2', video({ videoCodec: 'avc1.7A0028' }), ['error video-chroma']],
    ['10 bit', video({ videoCodec: 'avc1.6e0028' }), ['warning video-depth']],
    ['HE-AAC', video({ audioCodec: 'mp4a.40.5' }), ['error audio-codec']],
    ['Opus', video({ audioCodec: 'opus' }), ['error audio-codec']],
    ['no sound', video({ audioCodec: null, audioChannels: null }), []],
    ['5.1 sound', video({ audioChannels: 6 }), ['error audio-channels']],
    ['wide pixels', video({ pixelAspectRatio: 1.0667 }), ['error video-pixels']],
    ['high pixels', video({ pixelAspectRatio: 0.5 }), ['error video-pixels']],
    ['pixels that are square but for rounding', video({ pixelAspectRatio: 1.0009 }), []],
    ['fields', video({ isInterlaced: true }), ['warning video-interlaced']],
    ['frames only', video({ isInterlaced: false }), []],
    ['an average of 60.2 frames per second', video({ frameRate: 60.2 }), []],
    ['120 frames per second', video({ frameRate: 120 }), ['error video-frame-rate']],
    ['31 pixels', video({ width: 31, height: 60 }), ['error video-too-small']],
    ['1080p', video({ width: 1_920, height: 1_080 }), ['warning video-size']],
    ['1080p, upright', video({ width: 1_080, height: 1_920 }), ['warning video-size']],
    ['3:1', video({ width: 1_200, height: 400 }), []],
    ['wider than 3:1', video({ width: 1_203, height: 400 }), ['error video-ratio']],
    ['narrower than 1:3', video({ width: 400, height: 1_201 }), ['error video-ratio']],
    ['half a second', video({ durationMs: 500 }), []],
    ['less than half a second', video({ durationMs: 499 }), ['error video-too-short']],
    ['more than 20 minutes', video({ durationMs: 1_200_001 }), ['warning video-long']],
    ['125 minutes', video({ durationMs: 7_500_000 }), ['warning video-long']],
    ['more than 125 minutes', video({ durationMs: 7_500_001 }), ['error video-too-long']],
    ['one segment too many', video({ bytes: 4_194_304_001 }), ['error video-bytes']],
    ['an alt text of 1000 characters', image({ altText: '😀'.repeat(1_000) }), []],
    ['an alt text of 1001 characters', image({ altText: 'a'.repeat(1_001) }), ['warning alt-text-cut']],
    ['an alt text of a video', video({ altText: 'A roof' }), ['warning alt-text-unsupported']],
    ['a video of which nothing is known', file({ kind: 'video' }), []],
    ['a GIF of which nothing is known', file({ kind: 'animation' }), []],
  ])('judges %s', (_, media, expected) => {
    expect(rules(media)).toEqual(expected);
  });

  it('are named by their place in the post', () => {
    const findings = mediaFindings({
      media: [image(), image({ altText: 'a'.repeat(1_001) })],
      account: null,
    });
    expect(findings.map(({ pointer }) => pointer)).toEqual(['#/mediaIds/1']);
    expect(mediaFindings({ media: [video(), gif()], account: null })[0]?.pointer).toBe('#/mediaIds');
  });

  it('are enough for a post without text', () => {
    const content = { text: '', target: {}, options: {}, account: null };
    expect(preflight({ ...content, media: [image()] })).toEqual([]);
    expect(preflight({ ...content, media: [] })).toMatchObject([{ ruleId: 'x.text.empty' }]);
  });

  it('become what X takes', () => {
    const media = [image(), gif(), video(), unknownMedia('m')];
    const specs = renditions({ text: '', target: {}, options: {}, media, account: null });
    expect(specs).toMatchObject([
      { kind: 'image', formats: ['jpeg', 'png', 'webp'], maxBytes: 5_000_000 },
      { kind: 'animation', formats: ['gif'], maxBytes: 15_000_000, maxFrames: 350 },
      { kind: 'video', container: 'mp4' },
      null,
    ]);
  });
});
