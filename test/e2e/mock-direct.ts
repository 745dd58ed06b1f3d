import type { ServiceChoice } from '../../src/shared/profile.ts'
import type { Status } from '../../src/shared/status.ts'
import { serviceStatus } from './mock-data.ts'

/** The status for a provider whose enclaves are reached without a service. */
export function directStatus(): Status {
  const status = serviceStatus()
  const { creditIdMasked: _, ...account } = status.account
  return {
    ...status,
    account,
    service: {
      ...status.service,
      profileId: 'direct',
      name: 'The provider',
      baseUrl: 'https://router.provider.example',
      enclaveHost: 'router.provider.example',
      direct: true,
    },
  }
}

export function choicesWithoutService(): ServiceChoice[] {
  return [
    { id: 'sandbox', name: 'Sandbox', kind: 'sandbox' },
    { id: 'main', name: 'The service', kind: 'service', baseUrl: 'https://api.service.example' },
    {
      id: 'direct',
      name: 'The provider',
      kind: 'service',
      baseUrl: 'https://router.provider.example',
      direct: true,
    },
  ]
}
