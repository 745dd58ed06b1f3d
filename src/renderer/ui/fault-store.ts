import type { SandboxFault, SandboxPlatform } from '../../shared/sandbox-faults.ts'
import type { RouteFault, SandboxRoute } from '../../shared/sandbox-routes.ts'
import type { SandboxWalletFault } from '../../shared/sandbox-wallet-faults.ts'
import { currentScope } from '../data/service-scope.tsx'
import { readScopedState, setScopedState, useScopedPart, type ScopedState } from '../data/use-answer.ts'
import { api } from './api.ts'
import { useStatus } from './status-store.ts'

interface Faults {
  readonly on: readonly SandboxFault[]
  readonly platform: SandboxPlatform
  /** The routes with the fault of each; undefined until they are loaded. */
  readonly routes: readonly SandboxRoute[] | undefined
  readonly wallet: SandboxWalletFault | null
}

const sandboxFaults: ScopedState<Faults> = {
  key: ['sandbox-faults'],
  initial: { on: [], platform: 'sev-snp', routes: undefined, wallet: null },
}

/** The faults of the sandbox that are on. Every view shows them, because nobody could explain a refusal otherwise. */
export function useFaults<Part>(select: (faults: Faults) => Part): Part {
  return useScopedPart(sandboxFaults, select)
}

export function readFaults(): Faults {
  return readScopedState(currentScope(), sandboxFaults)
}

export async function refreshFaults(): Promise<void> {
  const status = useStatus.getState().status
  if (status?.service.kind !== 'sandbox' || status.vault.state !== 'open') return
  await show(async () => {
    const [on, platform, wallet, routes] = await Promise.all([
      api.sandbox.faults(),
      api.sandbox.platform(),
      api.sandbox.walletFault(),
      api.sandbox.routes(),
    ])
    return { on, platform, wallet, routes }
  }).catch(() => {
    // The view with the switches shows the failure.
  })
}

// Each function below throws what its call throws.

export function refreshRoutes(): Promise<void> {
  return show(async () => ({ routes: await api.sandbox.routes() }))
}

export function setFault(fault: SandboxFault, on: boolean): Promise<void> {
  return show(async () => ({ on: await api.sandbox.setFault({ fault, on }) }))
}

export function setRouteFault(routes: readonly string[], fault: RouteFault | null): Promise<void> {
  return show(async () => ({ routes: await api.sandbox.setRouteFault({ routes: [...routes], fault }) }))
}

export function setWalletFault(fault: SandboxWalletFault | null): Promise<void> {
  return show(async () => ({ wallet: await api.sandbox.setWalletFault({ fault }) }))
}

export function setPlatform(platform: SandboxPlatform): Promise<void> {
  return show(async () => ({ platform: await api.sandbox.setPlatform({ platform }) }))
}

async function show(ask: () => Promise<Partial<Faults>>): Promise<void> {
  const scope = currentScope()
  const part = await ask()
  setScopedState(scope, sandboxFaults, (before) => ({ ...before, ...part }))
}
