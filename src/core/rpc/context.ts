import type { Confirm } from '../../shared/confirm.ts'
import type { Contact } from '../../shared/contact.ts'
import type { DesktopControls } from '../../shared/desktop-settings.ts'
import type { SelfTestEvent } from '../../shared/self-test.ts'
import type { TrustView } from '../../shared/contract/privacy.ts'
import type { Fetch } from '../../shared/fetch.ts'
import type { AutoLockSettings } from '../../shared/lock.ts'
import type { Model } from '../../shared/model.ts'
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
import type { Library } from '../conversations/library/index.ts'
import type { KeyBudgets, Payer } from '../payments/index.ts'
import type { Conversions, Relay } from '../gateway/relay/index.ts'
import type { Store } from '../storage/index.ts'
import type { Studio } from '../jobs/index.ts'
import type { TokenCounter } from '../gateway/tokens/token-thread.ts'
import type { OwnedVault } from '../storage/vault/index.ts'
import type { ExchangeRateCache, WalletService } from '../payments/wallet/index.ts'
import type { Conversations } from '../conversations/conversations.ts'
import type { LocalKeys } from '../gateway/local-keys/local-keys.ts'
import type { LowBalance } from '../payments/low-balance.ts'
import type { RecentLog } from '../app/recent-log.ts'
import type { Topups } from '../payments/topups/topups.ts'

/** What is there while the vault is open. */
export interface UnlockedCore {
  readonly store: Store
  readonly conversations: Conversations
  readonly consents: Consents
  readonly library: Library
  readonly studio: Studio
  readonly relay: Relay
  /** Converted documents, in memory. */
  readonly conversions: Conversions
  /** Caches counts in memory. */
  readonly chatTokens: Pick<TokenCounter, 'count'>
  readonly keys: LocalKeys
  readonly accounts: Accounts
  /** Of the account that is active now. */
  readonly serviceKeys: () => ServiceKeys
  readonly payer: Payer
  readonly budgets: KeyBudgets
  readonly wallet: WalletService
  readonly rate: ExchangeRateCache
  readonly topups: Topups
  readonly lowBalance: LowBalance
  readonly autoLock: AutoLockControls
  /** @throws {SottoError} store/unwritable, vault/locked */
  renewCacheSecret(): Promise<void>
}

/** What locks Sotto without being asked. */
export interface AutoLockControls {
  readonly settings: AutoLockSettings
  /** @throws {SottoError} store/unwritable */
  change(settings: AutoLockSettings): void
  /** A person used Sotto. */
  use(): void
}

export interface SandboxControls {
  faults(): SandboxFault[]
  setFault(fault: SandboxFault, on: boolean): void
  platform(): SandboxPlatform
  setPlatform(platform: SandboxPlatform): void
  control(): Promise<RouteControls>
  /** Opens the sandbox's wallet where it is not open. Its relay's port is another at each start: a connection is not kept. */
  wallet(): Promise<SandboxWalletConnections & { setFault(fault: SandboxWalletFault | null): Promise<void> }>
  walletFault(): Promise<SandboxWalletFault | null>
}

/** `sotto` is the connection to pay with; `service` is to be handed to the service, for automatic topups. */
export interface SandboxWalletConnections {
  /** `nostr+walletconnect://…`, with its secret. */
  connection(name: 'sotto' | 'service'): string
}

/** The faults of single routes. */
export interface RouteControls {
  routes(): readonly SandboxRoute[]
  setRouteFault(route: string, fault: RouteFault | null): void
}

/** Plays the drill until it is done, the signal aborted or the iteration left. Throws self-test/unavailable. */
export type SelfTest = (signal: AbortSignal) => AsyncIterable<SelfTestEvent>

/** What the areas of the API are made of. core.ts fills it. */
export interface ApiContext {
  /** Throws vault/locked, or the code of whatever else keeps the core shut. */
  open(): UnlockedCore
  status(): Promise<Status>
  acknowledge(noticeId: string): void
  /** Accepts changed records, and continues what waited for that. Throws vault/locked, store/rows-changed, store/unwritable. */
  acceptRecords(): void
  readonly confirm: Confirm
  /** Unix ms. */
  readonly now: () => number
  readonly choices: readonly ServiceChoice[]
  /** Keeps the choice; then the host ends this core and starts one on that profile. Throws store/unwritable; this one then goes on. */
  choose(profileId: string): Promise<void>
  readonly vault: OwnedVault
  /**
   * Locks the vault; resolves once its keys are gone.
   * @returns false if the vault was not open
   * @throws {SottoError} vault/cannot-lock
   */
  lock(): Promise<boolean>
  /** Aborts when this core begins to end: a question that waits then is answered "no". The reason is a SottoError if it is locked. */
  readonly ending: AbortSignal
  /** Aborts when this core ends: answers that are still streamed end with it. */
  readonly ended: AbortSignal
  /** Opens what a vault that is open now lets be opened, and moves to the disk what has a lasting place now. */
  vaultChanged(): Promise<void>
  /** The profile's, before the user narrowed it; null where it has none. */
  readonly policy: AttestationPolicy | null
  /** The enclaves are reached without a service (`isDirect`). */
  readonly direct: boolean
  /** Of every enclave that private requests can go to, the main one first. */
  readonly enclaveHosts: readonly string[]
  /** The profile's; null if the service has no enclave of its own. */
  readonly serviceEnclave: ServiceEnclavePolicy | null
  trust(): Promise<TrustView>
  proxyBaseUrl(): string
  /** For what is asked of the service about the account, and for a trial of a key at this Sotto's own proxy. */
  readonly fetch: Fetch
  exampleModel(models: readonly Model[]): string
  readonly sandbox: SandboxControls | null
  /** The attack drill; where the host gave none, it is refused. */
  readonly selfTest: SelfTest | undefined
  /** Starts or stops the server for other programs. Throws proxy/port-taken. */
  serve(on: boolean): Promise<void>
  readonly desktop: DesktopControls | undefined
  readonly recentLog: RecentLog
  readonly windows: WindowSessions
  contacts(): Contact[]
}
