import { useEffect, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { ServiceChoice } from '../../../shared/profile.ts'
import { api } from '../api.ts'
import { confirmable } from '../confirmation-store.ts'
import { asFailure, WindowError } from '../failure.ts'
import { setStatus, useStatus } from '../status-store.ts'

interface Services {
  readonly choices: readonly ServiceChoice[] | undefined
  readonly failure: Failure | undefined
  /** Asks again. */
  readonly refresh: () => void
}

/** The services that the person can choose. */
export function useServices(): Services {
  const [services, setServices] = useState<Omit<Services, 'refresh'>>({
    choices: undefined,
    failure: undefined,
  })
  const [times, setTimes] = useState(0)
  useEffect(() => {
    let wanted = true
    api.profiles.list().then(
      (choices) => {
        if (wanted) setServices({ choices, failure: undefined })
      },
      (thrown: unknown) => {
        if (wanted) setServices({ choices: undefined, failure: asFailure(thrown) })
      },
    )
    return () => {
      wanted = false
    }
  }, [times])
  return { ...services, refresh: () => setTimes(times + 1) }
}

const ASK_AGAIN_MS = 150
const ASK_TIMES = 100

/**
 * Makes this the current service, if it isn't yet. The person confirms the change outside the window. Another core then
 * takes over at the same UI server, and the promise resolves when that core answers. Throws if the change isn't
 * confirmed or the core doesn't start.
 */
export async function chooseService(profileId: string): Promise<void> {
  if (useStatus.getState().status?.service.profileId === profileId) return
  let status = await confirmable((signal) => api.profiles.choose({ profileId }, { signal }))
  for (let asked = 0; status.service.profileId !== profileId && asked < ASK_TIMES; asked++) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    status = await api.app.status()
  }
  setStatus(status)
  // The next call, such as one with an API key, is for the chosen service. The former service must not get it.
  if (status.service.profileId !== profileId) throw new WindowError('service/unavailable')
}
