import type { Platform } from '#libs/content';
import { PlatformNotFound } from './domain/integration.errors.js';
import type { NetworkDeclaration } from './providers/network.declaration.js';
import { linkedin, linkedinCompany } from './providers/linkedin/linkedin.network.js';
import { facebook } from './providers/facebook/facebook.network.js';
import { instagram } from './providers/instagram/instagram.network.js';
import { threads } from './providers/threads/threads.network.js';
import { tiktok } from './providers/tiktok/tiktok.network.js';
import { x } from './providers/x/x.network.js';
import { youtube } from './providers/youtube/youtube.network.js';

const networks: NetworkDeclaration[] = [];
const platforms: Platform[] = [];

/** Every network, in the order in which lists show them. */
export const NETWORKS: readonly NetworkDeclaration[] = networks;
export const PLATFORMS: readonly Platform[] = platforms;

/** Registers a network for services that start afterwards. @returns a function that removes it */
export function registerNetwork(network: NetworkDeclaration): () => void {
  networks.push(network);
  platforms.push(network.platform);
  return () => {
    networks.splice(networks.indexOf(network), 1);
    platforms.splice(platforms.indexOf(network.platform), 1);
  };
}

/** @throws PlatformNotFound for a name that is no network */
export function networkOf(platform: string): NetworkDeclaration {
  const network = NETWORKS.find((each) => each.platform === platform);
  if (!network) throw new PlatformNotFound();
  return network;
}

export function isPlatform(name: string): name is Platform {
  return (PLATFORMS as readonly string[]).includes(name);
}

/** A network is its folder and its line here. */
for (const network of [x, linkedin, linkedinCompany, facebook, instagram, threads, youtube, tiktok])
  registerNetwork(network);
