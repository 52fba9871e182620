import { EncodedPacketSink, type InputTrack } from 'mediabunny';

/** Whether the file has the first and the last packet that the index of the track names. */
export async function hasBothEnds(track: InputTrack): Promise<boolean> {
  const sink = new EncodedPacketSink(track);
  const first = await sink.getFirstPacket();
  if (!first) return false;
  return (await sink.getPacket(Infinity)) !== null;
}
