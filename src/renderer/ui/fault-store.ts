import { create } from 'zustand'
import type { SandboxFault, SandboxPlatform } from '../../shared/sandbox-faults.ts'
import type { RouteFault, SandboxRoute } from '../../shared/sandbox-routes.ts'
import type { SandboxWalletFault } from '../../shared/sandbox-wallet-faults.ts'
import { api } from './api.ts'
import { onServiceChange, useStatus } from './status-store.ts'

interface Faults {
  readonly on: readonly SandboxFault[]
  readonly platform: SandboxPlatform
  /** What it serves, and what each route is told to do wrong; undefined until it was asked. */
  readonly routes: readonly SandboxRoute[] | undefined
  /** What its wallet is told to do wrong. */
  readonly wallet: SandboxWalletFault | null
}

/** The faults that the sandbox was told to commit. They are shown in every room: an unexplained refusal would be a lie. */
export const useFaults = create<Faults>()(() => ({
  on: [],
  platform: 'sev-snp',
  routes: undefined,
  wallet: null,
}))

onServiceChange(() => {
  useFaults.setState({ on: [], routes: undefined, wallet: null })
  void refreshFaults()
})

export async function refreshFaults(): Promise<void> {
  const status = useStatus.getState().status
  if (status?.service.kind !== 'sandbox' || status.vault.state !== 'open') return
  try {
    const [on, platform, wallet] = await Promise.all([
      api.sandbox.faults(),
      api.sandbox.platform(),
      api.sandbox.walletFault(),
      refreshRoutes(),
    ])
    useFaults.setState({ on, platform, wallet })
  } catch {
    // The frame goes on without them; the room in which one is switched says what is wrong.
  }
}

/** Throws what the call throws. */
export async function refreshRoutes(): Promise<void> {
  useFaults.setState({ routes: await api.sandbox.routes() })
}

/** Throws what the call throws. */
export async function setFault(fault: SandboxFault, on: boolean): Promise<void> {
  useFaults.setState({ on: await api.sandbox.setFault({ fault, on }) })
}

/** Tells these routes the same. Throws what the call throws. */
export async function setRouteFault(routes: readonly string[], fault: RouteFault | null): Promise<void> {
  useFaults.setState({ routes: await api.sandbox.setRouteFault({ routes: [...routes], fault }) })
}

/** Tells the sandbox's wallet; null: nothing is wrong. Throws what the call throws. */
export async function setWalletFault(fault: SandboxWalletFault | null): Promise<void> {
  useFaults.setState({ wallet: await api.sandbox.setWalletFault({ fault }) })
}

/** Moves the sandbox's enclave. Throws what the call throws. */
export async function setPlatform(platform: SandboxPlatform): Promise<void> {
  useFaults.setState({ platform: await api.sandbox.setPlatform({ platform }) })
}
