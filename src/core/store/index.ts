import type { Store, StoreOptions } from './store.ts'

export type { LocalKey, MessagePatch, Release, Store, StoreOptions } from './store.ts'

export declare function openStore(options: StoreOptions): Store
