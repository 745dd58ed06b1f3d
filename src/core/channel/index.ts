export { openEnclaveChannel, type ChannelOptions, type EnclaveChannel } from './enclave-channel.ts'
export { ExchangeGuard, type Patience } from './exchange-guard.ts'
export { ReceivedBytes } from './received-bytes.ts'
export type { ReleaseMemory } from './release-memory.ts'
