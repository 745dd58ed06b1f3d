import { attestationCodes, type AttestationCode } from '../../src/verifier/types.ts'
import type { ChatRoute, ServiceEnclaveView } from '../../src/shared/chat-route.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { ImageRule } from '../../src/shared/policy/service-enclave.ts'
import type { Proof } from '../../src/shared/proof.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import type { Routing } from '../../src/shared/routing.ts'
import { msg } from '../../src/shared/localized-text.ts'
import type { Verdict, VerdictStep } from '../../src/shared/verdict.ts'
import { legible } from '../../src/verifier/text.ts'
import { goodVerdict, hex, receipt } from './mock-data.ts'
import type { MockServer, MockState } from './mock-server.ts'
import { mockProof } from './mock-privacy.ts'

export interface MockServiceEnclave {
  /** Null if the service has none. */
  view: ServiceEnclaveView | null
  /** Whether the files of the next call prove an image. */
  provesImage: boolean
}

export const RUNNING = hex(95, 48)
const HOST = 'enclave.service.example'

export function mockServiceEnclave(): MockServiceEnclave {
  return { view: null, provesImage: true }
}

const image = (part: Partial<VerdictStep>): VerdictStep => ({
  id: 'service-enclave/image',
  title: 'Enclave runs an accepted image',
  outcome: 'passed',
  required: true,
  expected: legible(`PCR0 ${RUNNING}`),
  observed: legible(`PCR0 ${RUNNING}`),
  ...part,
})
const before: readonly VerdictStep[] = [
  {
    id: 'nitro/nonce',
    title: 'Document was created for this request',
    outcome: 'passed',
    required: true,
    expected: legible(hex(99, 32)),
    observed: legible(hex(99, 32)),
  },
  {
    id: 'service-enclave/image-record',
    title: 'Service’s record of its images is readable and not outdated',
    claim: true,
    outcome: 'passed',
    required: true,
    expected: msg('a record of 1 to 4 images'),
    observed: msg('a record of {date}', { date: '2026-11-20' }),
  },
]
const connection: VerdictStep = {
  id: 'service-enclave/connection',
  title: 'Connection uses the attested TLS key',
  outcome: 'not-checked',
  required: false,
  expected: [],
  observed: [],
}

export function relayVerdict(now: number, rule: ImageRule = 'published'): Verdict {
  const { release: _, ...rest } = goodVerdict(now)
  return {
    ...rest,
    platform: 'AWS Nitro',
    enclaveHost: HOST,
    registers: ['PCR0', 'PCR1', 'PCR2'].map((name, index) => ({ name, hex: hex(95 + index, 48) })),
    freshness: { kind: 'nonce-bound' },
    image: { rule, ...(rule === 'published' && { version: 'v0.13.0', commit: hex(4, 20) }) },
    steps: [...before, image({}), connection],
  }
}

export function failedRelayVerdict(
  now: number,
  code: AttestationCode = 'service-enclave/image-not-published',
): Verdict {
  const { hpkePublicKey: _key, tlsKeyFingerprint: _tls, ...rest } = relayVerdict(now)
  return {
    ...rest,
    good: false,
    validUntil: now,
    steps: [
      ...before,
      image({ outcome: 'failed', code, expected: legible(`PCR0 ${hex(40, 48)}`) }),
      { ...connection, outcome: 'not-reached' },
    ],
    failure: { step: 'service-enclave/image', code, says: attestationCodes[code] },
  }
}

function serviceEnclaveView(now: number, part: Partial<ServiceEnclaveView> = {}): ServiceEnclaveView {
  return {
    host: HOST,
    recordHost: 'records.example',
    route: 'relayed',
    rule: 'published',
    approved: [],
    proven: [],
    verdict: relayVerdict(now),
    image: RUNNING,
    history: [],
    ...part,
  }
}

/** A service that relays chat through an enclave of its own. */
export function relays({ state }: MockServer, part: Partial<ServiceEnclaveView> = {}): void {
  setRoute(state, serviceEnclaveView(Date.now(), part))
}

const verifiedRouting: Routing = {
  state: 'verified',
  warnings: ['model-differs', 'upstream-unexpected', 'upstream-chooses'],
  provider: 'openrouter',
  upstream: 'openrouter.example',
  upstreamModel: 'sandbox/echo-2026',
  servedModel: 'sandbox/echo-mini',
  proof: { receipt: '{}', signature: 'AA==', spki: 'AA==' },
}

export function relayedReceipt(id: string, at: number, routing: Routing = verifiedRouting): Receipt {
  return receipt(id, at, {
    privacy: 'relayed',
    model: 'sandbox/echo',
    path: '/v1/chat/completions',
    routing,
    enclave: {
      host: HOST,
      measurement: hex(96, 32),
      verifiedAt: at - 60_000,
      evidenceDigest: hex(11, 32),
      hpkePublicKey: hex(9, 32),
    },
  })
}

function setRoute(state: MockState, view: ServiceEnclaveView): ServiceEnclaveView {
  state.serviceEnclave.view = view
  state.status = {
    ...state.status,
    service: { ...state.status.service, openChat: view.route === 'forwarded' ? 'forwarded' : 'relayed' },
  }
  return view
}

interface Means {
  readonly state: MockState
  readonly refuse: (code: ErrorCode) => never
  readonly confirm: (question: string, signal: AbortSignal | undefined) => Promise<void>
}

const openness: Readonly<Record<ChatRoute, number>> = { relayed: 0, 'relayed-if-verified': 1, forwarded: 2 }
const leniency: Readonly<Record<ImageRule, number>> = { proven: 0, approved: 1, published: 2 }

export function createMockServiceEnclave({ state, refuse, confirm }: Means) {
  const view = () => state.serviceEnclave.view ?? refuse('relay/unavailable')
  const change = (part: Partial<ServiceEnclaveView>) => setRoute(state, { ...view(), ...part })

  function verifyImage(): Verdict {
    const { rule, approved, proven } = view()
    const now = Date.now()
    if (rule === 'approved' && !approved.some(({ pcr0 }) => pcr0 === RUNNING))
      return failedRelayVerdict(now, 'service-enclave/image-not-approved')
    if (rule === 'proven' && !proven.some(({ pcr0 }) => pcr0 === RUNNING))
      return failedRelayVerdict(now, 'service-enclave/image-not-proven')
    return relayVerdict(now, rule)
  }

  return {
    view: () => state.serviceEnclave.view,
    verify: () => change({ verdict: verifyImage(), image: RUNNING }),
    proof(): Proof {
      const { verdict } = view()
      return verdict ? mockProof(verdict) : refuse('proof/missing')
    },
    async setRoute(route: ChatRoute, signal: AbortSignal | undefined) {
      if (openness[route] > openness[view().route])
        await confirm('Let the service read all chats with models that aren’t private?', signal)
      return change({ route })
    },
    async setRule(rule: ImageRule, signal: AbortSignal | undefined) {
      if (leniency[rule] > leniency[view().rule])
        await confirm('Accept every image that records.example lists as the service’s?', signal)
      return change({ rule, verdict: null })
    },
    async approveImage(pcr0: string, signal: AbortSignal | undefined) {
      if (pcr0 !== view().image) refuse('relay/no-image-waiting')
      await confirm('Accept only images that you approve, and approve this one?', signal)
      change({ rule: 'approved', approved: [...view().approved, { pcr0 }] })
      return change({ verdict: verifyImage() })
    },
    removeImage(pcr0: string) {
      const { approved, proven } = view()
      return change({
        approved: approved.filter((image) => image.pcr0 !== pcr0),
        proven: proven.filter((image) => image.pcr0 !== pcr0),
        verdict: null,
      })
    },
    proveImage() {
      if (!state.serviceEnclave.provesImage) refuse('relay/provenance-refused')
      return change({ proven: [...view().proven, { pcr0: RUNNING, commit: hex(4, 20) }], verdict: null })
    },
  }
}
