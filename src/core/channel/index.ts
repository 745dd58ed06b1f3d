export { openEnclaveChannel, type ChannelOptions, type EnclaveChannel } from './enclave-channel.ts'
export { ExchangeGuard, type Patience } from './exchange-guard.ts'
export type { ReleaseMemory } from './release-memory.ts'
export type { SealedResponse } from './sealed-exchange.ts'
