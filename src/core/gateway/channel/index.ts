export type { CollateralMemory } from './amd-list-lookup.ts'
export { createEnclaveChannel, type ChannelOptions } from './enclave-channel.ts'
export { createDirectChannel, type DirectChannelOptions } from './direct-channel.ts'
export type { EnclaveChannel } from './sealed-channel.ts'
export {
  createServiceEnclaveChannel,
  type ImageMemory,
  type StoredRecord,
  type ServiceEnclaveChannel,
} from './service-enclave-channel.ts'
export type { FreshSource } from './fresh-evidence.ts'
export { ReceivedBytes } from './received-bytes.ts'
export type { SealedRequest, SealedResponse } from './sealed-exchange.ts'
export { sentDigest } from './sent-digest.ts'
export type { ReleaseMemory } from './release-memory.ts'
