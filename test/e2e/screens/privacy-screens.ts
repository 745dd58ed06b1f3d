import { expect } from '@playwright/test'
import { attestationCodes } from '../../../src/verifier/types.ts'
import { goodVerdict, hex, serviceStatus } from '../mock-data.ts'
import type { MockDoor } from '../mock-door.ts'
import { directStatus } from '../mock-direct.ts'
import { failedRelayVerdict, relayedReceipt, relays } from '../mock-service-enclave.ts'
import {
  changeLog,
  nitroVerdict,
  notYetTrusted,
  noticed,
  staleTrust,
  tdxVerdict,
  withProviderFloor,
} from '../mock-privacy.ts'
import type { ScreenGroup } from './screen.ts'

const now = Date.now()

/** A verified enclave and those before it. */
export function verified(door: MockDoor): void {
  door.state.verdict = goodVerdict(now)
  door.state.history = changeLog(now)
}

export const privacyScreens: ScreenGroup = {
  name: 'Privacy',
  place: '#/privacy',
  shown: (page) => expect(page.getByRole('region', { name: 'Trust roots' })).toBeVisible(),
  screens: [
    {
      name: 'with a change log, opened, and pins',
      set: (door) => {
        verified(door)
        door.state.privacyChoices = {
          askBeforeNewRelease: true,
          pins: [{ platform: 'sevSnp', registers: [{ name: 'MEASUREMENT', hex: hex(7, 48) }] }],
          freshEvidence: { chosen: null, host: 'enclave.sotto-sandbox.example' },
        }
      },
    },
    {
      name: 'with a release that waits',
      set: (door) => {
        door.state.history = changeLog(now)
        door.state.verdict = notYetTrusted(now)
      },
    },
    {
      name: 'of TDX, with roots out of date',
      set: (door) => {
        door.state.status = serviceStatus()
        door.state.verdict = tdxVerdict(now)
        door.state.trust = staleTrust(now)
      },
    },
    {
      name: 'with a firmware floor to accept',
      set: (door) => {
        verified(door)
        door.state.privacyChoices = withProviderFloor(false)
      },
    },
    {
      name: 'with an accepted firmware floor',
      set: (door) => {
        verified(door)
        door.state.verdict = noticed(
          goodVerdict(now),
          'policy/provider-floor-accepted',
          'report/tcb-below-expected',
        )
        door.state.privacyChoices = withProviderFloor(true)
      },
    },
    {
      name: 'with the service’s enclave, verified',
      set: (door) => {
        verified(door)
        relays(door, { rule: 'proven', proven: [{ pcr0: hex(95, 48), commit: hex(4, 20) }] })
      },
    },
    {
      name: 'with the service’s enclave, failing',
      set: (door) => {
        verified(door)
        relays(door, { verdict: failedRelayVerdict(now) })
      },
    },
    {
      name: 'with a receipt of the service’s enclave',
      set: (door) => {
        verified(door)
        relays(door)
        door.state.receipts = [relayedReceipt('r1', now)]
      },
      act: async (page) => {
        await page
          .getByRole('region', { name: 'Receipts' })
          .getByRole('button', { name: /Provider only/ })
          .click()
        await expect(page.getByRole('region', { name: 'Destination' })).toBeVisible()
      },
    },
    {
      name: 'of a provider without a service',
      set: (door) => {
        verified(door)
        door.state.status = directStatus()
        door.state.privacyChoices = { ...door.state.privacyChoices, freshEvidence: null }
        door.state.verdict = { ...goodVerdict(now), trust: 'built-in', freshness: { kind: 'nonce-bound' } }
        const other = { ...goodVerdict(now), enclaveHost: 'model.provider.example' }
        door.state.modelEnclaves = [
          other,
          {
            ...other,
            good: false,
            enclaveHost: 'large.provider.example',
            failure: {
              step: 'v3/code',
              code: 'sigstore/repository-mismatch',
              says: attestationCodes['sigstore/repository-mismatch'],
            },
          },
        ]
      },
    },
    {
      name: 'of Nitro',
      set: (door) => {
        door.state.status = serviceStatus()
        door.state.verdict = nitroVerdict(now)
      },
    },
  ],
}
