import { create } from 'zustand'
import type { SandboxFault, SandboxPlatform } from '../../shared/sandbox-faults.ts'
import type { RouteFault, SandboxRoute } from '../../shared/sandbox-routes.ts'
import { api } from './api.ts'
import { onServiceChange, useStatus } from './status-store.ts'

interface Faults {
  readonly on: readonly SandboxFault[]
  readonly platform: SandboxPlatform
  /** What it serves, and what each route is told to do wrong; undefined until it was asked. */
  readonly routes: readonly SandboxRoute[] | undefined
}

/** The faults that the sandbox was told to commit. They are shown in every room: an unexplained refusal would be a lie. */
export const useFaults = create<Faults>()(() => ({ on: [], platform: 'sev-snp', routes: undefined }))

onServiceChange(() => {
  useFaults.setState({ on: [], routes: undefined })
  void refreshFaults()
})

export async function refreshFaults(): Promise<void> {
  const status = useStatus.getState().status
  if (status?.service.kind !== 'sandbox' || status.vault.state !== 'open') return
  try {
    const [on, platform] = await Promise.all([api.sandbox.faults(), api.sandbox.platform(), refreshRoutes()])
    useFaults.setState({ on, platform })
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

/** Moves the sandbox's enclave. Throws what the call throws. */
export async function setPlatform(platform: SandboxPlatform): Promise<void> {
  useFaults.setState({ platform: await api.sandbox.setPlatform({ platform }) })
}
