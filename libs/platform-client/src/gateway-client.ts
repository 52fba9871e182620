import type {
  ChannelCall,
  GatewayResult,
  NewVideo,
  UploadState,
  VideoChannel,
  VideoPart,
} from './gateway.types.js';

/** Calls to the video provider through the gateway. No method throws, and none is repeated here. */
export abstract class GatewayClient {
  /** Whether this service is configured to call the gateway. */
  abstract readonly isConfigured: boolean;

  /** The channel of the signed-in account; null: it has none. Costs quota. */
  abstract channel(call: ChannelCall): Promise<GatewayResult<VideoChannel | null>>;

  /** Announces a video. Publishes nothing. Costs quota. */
  abstract beginUpload(call: ChannelCall, video: NewVideo): Promise<GatewayResult<{ uploadId: string }>>;

  /** Sends a part. The last one publishes the video. */
  abstract sendPart(call: ChannelCall, part: VideoPart): Promise<GatewayResult<UploadState>>;

  /** Asks what the provider has. Changes nothing. */
  abstract uploadState(call: ChannelCall, uploadId: string): Promise<GatewayResult<UploadState>>;
}
