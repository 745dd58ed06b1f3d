import { create } from 'zustand'
import type { SandboxFault, SandboxPlatform } from '../../shared/sandbox-faults.ts'
import { api } from './api.ts'
import { onServiceChange, useStatus } from './status-store.ts'

/** The faults that the sandbox was told to commit. They are shown in every room: an unexplained refusal would be a lie. */
export const useFaults = create<{ readonly on: readonly SandboxFault[]; readonly platform: SandboxPlatform }>()(() => ({ on: [], platform: 'sev-snp' }))

onServiceChange(() => {
  useFaults.setState({ on: [] })
  void refreshFaults()
})

export async function refreshFaults(): Promise<void> {
  const status = useStatus.getState().status
  if (status?.service.kind !== 'sandbox' || status.vault.state !== 'open') return
  try {
    const [on, platform] = await Promise.all([api.sandbox.faults(), api.sandbox.platform()])
    useFaults.setState({ on, platform })
  } catch {
    // The frame goes on without them; the Privacy room says what is wrong when one is switched.
  }
}

/** Throws what the call throws. */
export async function setFault(fault: SandboxFault, on: boolean): Promise<void> {
  useFaults.setState({ on: await api.sandbox.setFault({ fault, on }) })
}

/** Moves the sandbox's enclave. Throws what the call throws. */
export async function setPlatform(platform: SandboxPlatform): Promise<void> {
  useFaults.setState({ platform: await api.sandbox.setPlatform({ platform }) })
}
