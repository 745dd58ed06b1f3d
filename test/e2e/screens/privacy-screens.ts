import { expect } from '@playwright/test'
import { attestationCodes } from '../../../src/verifier/types.ts'
import { goodVerdict, hex, serviceStatus } from '../mock-data.ts'
import type { MockServer } from '../mock-server.ts'
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
export function verified(mock: MockServer): void {
  mock.state.verdict = goodVerdict(now)
  mock.state.history = changeLog(now)
}

export const privacyScreens: ScreenGroup = {
  name: 'Privacy',
  place: '#/privacy',
  shown: (page) => expect(page.getByRole('tabpanel').getByRole('region').first()).toBeVisible(),
  screens: [
    {
      name: 'with a change log, opened',
      place: '#/privacy/history',
      set: verified,
    },
    {
      name: 'with requirements and pins',
      place: '#/privacy/requirements',
      set: (mock) => {
        verified(mock)
        mock.state.privacyChoices = {
          askBeforeNewRelease: true,
          pins: [{ platform: 'sevSnp', registers: [{ name: 'MEASUREMENT', hex: hex(7, 48) }] }],
          freshEvidence: { chosen: null, host: 'enclave.sotto-sandbox.example' },
        }
      },
    },
    {
      name: 'with a release that waits',
      set: (mock) => {
        mock.state.history = changeLog(now)
        mock.state.verdict = notYetTrusted(now)
      },
    },
    {
      name: 'of TDX, with roots out of date',
      place: '#/privacy/evidence',
      set: (mock) => {
        mock.state.status = serviceStatus()
        mock.state.verdict = tdxVerdict(now)
        mock.state.trust = staleTrust(now)
      },
    },
    {
      name: 'with a firmware floor to accept',
      place: '#/privacy/requirements',
      set: (mock) => {
        verified(mock)
        mock.state.privacyChoices = withProviderFloor(false)
      },
    },
    {
      name: 'with an accepted firmware floor',
      set: (mock) => {
        verified(mock)
        mock.state.verdict = noticed(
          goodVerdict(now),
          'policy/provider-floor-accepted',
          'report/tcb-below-expected',
        )
        mock.state.privacyChoices = withProviderFloor(true)
      },
    },
    {
      name: 'with the service’s enclave, verified',
      set: (mock) => {
        verified(mock)
        relays(mock, { rule: 'proven', proven: [{ pcr0: hex(95, 48), commit: hex(4, 20) }] })
      },
    },
    {
      name: 'with the service’s enclave, failing',
      set: (mock) => {
        verified(mock)
        relays(mock, { verdict: failedRelayVerdict(now) })
      },
    },
    {
      name: 'with a receipt of the service’s enclave',
      place: '#/privacy/receipts',
      set: (mock) => {
        verified(mock)
        relays(mock)
        mock.state.receipts = [relayedReceipt('r1', now)]
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
      set: (mock) => {
        verified(mock)
        mock.state.status = directStatus()
        mock.state.privacyChoices = { ...mock.state.privacyChoices, freshEvidence: null }
        mock.state.verdict = { ...goodVerdict(now), trust: 'built-in', freshness: { kind: 'nonce-bound' } }
        const other = { ...goodVerdict(now), enclaveHost: 'model.provider.example' }
        mock.state.modelEnclaves = [
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
      set: (mock) => {
        mock.state.status = serviceStatus()
        mock.state.verdict = nitroVerdict(now)
      },
    },
  ],
}
