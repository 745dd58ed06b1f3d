import type { Confirm } from '../../shared/confirm.ts'
import type { DrillEvent } from '../../shared/drill.ts'
import type { TrustView } from '../../shared/contract/privacy.ts'
import type { Model } from '../../shared/model.ts'
import type { AttestationPolicy } from '../../shared/policy/attestation-policy.ts'
import type { ServiceChoice } from '../../shared/profile.ts'
import type { SandboxFault, SandboxPlatform } from '../../shared/sandbox-faults.ts'
import type { Status } from '../../shared/status.ts'
import type { Relay } from '../relay/index.ts'
import type { Store } from '../store/index.ts'

/** What is there while the vault is open. */
export interface OpenCore {
  readonly store: Store
  readonly relay: Relay
  readonly localKey: string
}

export interface SandboxControls {
  faults(): SandboxFault[]
  setFault(fault: SandboxFault, on: boolean): void
  platform(): SandboxPlatform
  setPlatform(platform: SandboxPlatform): void
}

/** Plays the drill until it is done, the signal aborted or the iteration left. Throws drill/unavailable. */
export type Drill = (signal: AbortSignal) => AsyncIterable<DrillEvent>

/** What the areas of the API are made of. core.ts fills it. */
export interface ApiContext {
  /** Throws vault/locked, or the code of whatever else keeps the core shut. */
  open(): OpenCore
  status(): Promise<Status>
  acknowledge(noticeId: string): void
  readonly confirm: Confirm
  readonly choices: readonly ServiceChoice[]
  /** The host ends this core and starts one on that profile. */
  choose(profileId: string): void
  readonly vault: { unlock(passphrase: string): Promise<void>; protect(passphrase: string): Promise<void> }
  readonly account: {
    connect(account: { apiKey: string; creditId?: string }): Promise<void>
    create(): Promise<void>
    disconnect(): Promise<void>
    /** Pico-USD. */
    balance(): Promise<bigint>
  }
  /** The profile's, before the user narrowed it; null where it has none. */
  readonly policy: AttestationPolicy | null
  trust(): Promise<TrustView>
  proxyBaseUrl(): string
  exampleModel(models: readonly Model[]): string
  readonly sandbox: SandboxControls | null
  /** The attack drill; where the host gave none, it is refused. */
  readonly drill: Drill | undefined
}
