import { audioFile } from './receive-audio.interceptor.js';

const latin = (text: string) => Buffer.from(text, 'latin1');

describe('a recording', () => {
  it.each([
    ['RIFF\0\0\0\0WAVEfmt ', 'audio.wav', 'audio/wav'],
    ['fLaC\0\0\0\x22', 'audio.flac', 'audio/flac'],
    ['OggS\0\x02', 'audio.ogg', 'audio/ogg'],
    ['\x1a\x45\xdf\xa3\x9f', 'audio.webm', 'audio/webm'],
    ['\0\0\0\x1cftypM4A ', 'audio.m4a', 'audio/mp4'],
    ['ID3\x04\0\0\0\0\0\0', 'audio.mp3', 'audio/mpeg'],
    ['\xff\xfb\x90', 'audio.mp3', 'audio/mpeg'],
  ])('is known by its first bytes: %j', (head, name, mediaType) => {
    const bytes = Buffer.concat([latin(head), Buffer.alloc(100)]);
    expect(audioFile(bytes)).toEqual({ name, mediaType, bytes });
  });

  it.each(['', 'MZ', 'RIFF\0\0\0\0AVI ', '\xff\xf1\x50', 'hello'])('is refused when it is %j', (head) => {
    expect(() => audioFile(latin(head))).toThrow('Convert it.');
  });
});
