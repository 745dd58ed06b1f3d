import type { Confirm } from '../../shared/confirm.ts'
import type { Contact } from '../../shared/contact.ts'
import type { DesktopControls } from '../../shared/desktop-settings.ts'
import type { SelfTestEvent } from '../../shared/self-test.ts'
import type { TrustView } from '../../shared/contract/privacy.ts'
import type { Fetch } from '../../shared/fetch.ts'
import type { AutoLockSettings } from '../../shared/lock.ts'
import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import type { ServiceEnclavePolicy } from '../../shared/policy/service-enclave.ts'
import type { ServiceChoice } from '../../shared/profile.ts'
import type { SandboxFault, SandboxPlatform } from '../../shared/sandbox-faults.ts'
import type { RouteFault, SandboxRoute } from '../../shared/sandbox-routes.ts'
import type { SandboxWalletFault } from '../../shared/sandbox-wallet-faults.ts'
import type { Status } from '../../shared/status.ts'
import type { Accounts, ServiceKeys } from '../payments/accounts/index.ts'
import type { WindowSessions } from '../gateway/callers/index.ts'
import type { Consents } from '../conversations/consents/index.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { Library } from '../conversations/library/index.ts'
import type { KeyBudgets, Payer } from '../payments/index.ts'
import type { Conversions, Relay } from '../gateway/relay/index.ts'
import type { Store } from '../storage/index.ts'
import type { Studio } from '../jobs/index.ts'
import type { TokenCounter } from '../gateway/tokens/token-thread.ts'
import type { OwnedVault } from '../storage/vault/index.ts'
import type { ExchangeRateCache, WalletService } from '../payments/wallet/index.ts'
import type { RunningAnswers } from '../conversations/answer/running-answers.ts'
import type { Conversations } from '../conversations/conversations.ts'
import type { LocalKeys } from '../gateway/local-keys/local-keys.ts'
import type { LowBalance } from '../payments/low-balance.ts'
import type { RecentLog } from '../app/recent-log.ts'
import type { Tools } from '../tools/index.ts'
import type { Topups } from '../payments/topups/topups.ts'

/** The parts that exist while the vault is unlocked. */
export interface UnlockedCore {
  readonly store: Store
  readonly conversations: Conversations
  /** The answers in progress. */
  readonly answers: RunningAnswers
  readonly consents: Consents
  readonly library: Library
  /** The documents of projects. */
  readonly knowledge: Knowledge
  readonly studio: Studio
  readonly relay: Relay
  /** Converted documents, in memory. */
  readonly conversions: Conversions
  /** Caches counts in memory. */
  readonly chatTokens: Pick<TokenCounter, 'count'>
  readonly keys: LocalKeys
  readonly accounts: Accounts
  /** Returns the keys of the active account. */
  readonly serviceKeys: () => ServiceKeys
  readonly payer: Payer
  readonly budgets: KeyBudgets
  readonly wallet: WalletService
  readonly rate: ExchangeRateCache
  readonly tools: Tools
  readonly topups: Topups
  readonly lowBalance: LowBalance
  readonly autoLock: AutoLockControls
  /** @throws {SottoError} store/unwritable, vault/locked */
  renewCacheSecret(): Promise<void>
}

/** The settings of automatic locking. */
export interface AutoLockControls {
  readonly settings: AutoLockSettings
  /** @throws {SottoError} store/unwritable */
  change(settings: AutoLockSettings): void
  /** Notes that a person used Sotto. */
  use(): void
}

export interface SandboxControls {
  faults(): SandboxFault[]
  setFault(fault: SandboxFault, on: boolean): void
  platform(): SandboxPlatform
  setPlatform(platform: SandboxPlatform): void
  control(): Promise<RouteControls>
  /**
   * Opens the sandbox's wallet if it isn't open. Its relay's port changes at each start, so don't store a
   * connection.
   */
  wallet(): Promise<SandboxWalletConnections & { setFault(fault: SandboxWalletFault | null): Promise<void> }>
  walletFault(): Promise<SandboxWalletFault | null>
}

/** `sotto` is the connection for Sotto's payments; `service` is for the service, for automatic top-ups. */
export interface SandboxWalletConnections {
  /** `nostr+walletconnect://…`, with its secret. */
  connection(name: 'sotto' | 'service'): string
}

/** Simulated failures of single routes. */
export interface RouteControls {
  routes(): readonly SandboxRoute[]
  setRouteFault(route: string, fault: RouteFault | null): void
}

/**
 * Runs the self-test until it's complete, the signal is aborted or the iteration stops.
 * @throws {SottoError} self-test/unavailable
 */
export type SelfTest = (signal: AbortSignal) => AsyncIterable<SelfTestEvent>

/** The parts that the handlers of the contract use. createCore implements it. */
export interface ApiContext {
  /** @throws {SottoError} vault/locked, or the code of another reason why the core is locked */
  open(): UnlockedCore
  status(): Promise<Status>
  acknowledge(noticeId: string): void
  /**
   * Accepts changed records, and continues operations that waited for that.
   * @throws {SottoError} vault/locked, store/rows-changed, store/unwritable
   */
  acceptRecords(): void
  readonly confirm: Confirm
  /** Unix ms. */
  readonly now: () => number
  readonly choices: readonly ServiceChoice[]
  /**
   * Saves the choice. Then the host ends this core and starts one with that profile.
   * @throws {SottoError} store/unwritable – this core then continues
   */
  choose(profileId: string): Promise<void>
  readonly vault: OwnedVault
  /** The kind of the vault, but `memory` as long as the store is in memory: a lock or an end would delete that. */
  savedIn(): OwnedVault['kind']
  /**
   * Locks the vault; resolves when its keys are zeroed.
   * @returns false if the vault was locked already
   * @throws {SottoError} vault/cannot-lock
   */
  lock(): Promise<boolean>
  /**
   * Aborts when this core begins to end: an open question is then answered "no". The reason is a SottoError
   * if Sotto is locked.
   */
  readonly ending: AbortSignal
  /** Aborts when this core ends, which ends streamed answers. */
  readonly ended: AbortSignal
  /**
   * Called when the vault changed: opens the parts that need it, and moves data in memory to the disk if
   * there is now a place for it.
   */
  vaultChanged(): Promise<void>
  /** The profile's policy without the user's restrictions; null if it has none. */
  readonly policy: AttestationPolicy | null
  /** Whether the enclaves have direct connections, without a service (`isDirect`). */
  readonly direct: boolean
  /** The hosts of all enclaves for private requests, the main one first. */
  readonly enclaveHosts: readonly string[]
  /** The profile's policy for the service's enclave; null if it has none. */
  readonly serviceEnclave: ServiceEnclavePolicy | null
  trust(): Promise<TrustView>
  proxyBaseUrl(): string
  /** For requests about the account, and for trying a key at Sotto's own proxy. */
  readonly fetch: Fetch
  readonly sandbox: SandboxControls | null
  /** Absent if the host has no self-test; it's then refused. */
  readonly selfTest: SelfTest | undefined
  /** Starts or stops the server for other programs. @throws {SottoError} proxy/port-taken */
  serve(on: boolean): Promise<void>
  readonly desktop: DesktopControls | undefined
  readonly recentLog: RecentLog
  readonly windows: WindowSessions
  /** Stops the answers that a window asked for. Does nothing while the vault is locked. */
  readonly stopAnswersOf: (windowId: string) => void
  contacts(): Contact[]
}
